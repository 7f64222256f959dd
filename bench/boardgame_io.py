"""The same load on boardgame.io's server in memory, when Node and its package can be had."""


async def measure(*, matches: int, seconds: float) -> list[str]:
    """Its lines, or one that says why there are none."""
    return ["boardgame.io: not measured"]

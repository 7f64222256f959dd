"""What is counted of finished games, computed again: how well people play, and what their profiles say."""

from typing import Annotated, Any

import typer

from app.commands.console import console
from app.commands.serving import with_server

Check = Annotated[bool, typer.Option("--check", help="Only compare; exit code 1 when something differs.")]


@console.command()
def ratings(check: Check = False) -> None:
    """Compute all ratings again from the results, and put right what differs."""
    from app.services import ratings as service

    async def work(server: Any) -> tuple[int, Any]:
        waiting = await service.count_unsettled(server) if check else await service.settle_all(server)
        return waiting, await service.recompute(server, write=not check)

    waiting, found = with_server(work)
    typer.echo(f"{waiting} tables {'whose end is not written down yet' if check else 'were settled'}")
    typer.echo(f"{len(found.results)} results and {len(found.ratings)} ratings {'differ' if check else 'put right'}")
    if check and (waiting or found):
        raise typer.Exit(1)


@console.command()
def results(check: Check = False) -> None:
    """Write down again, from the score sheets, what profiles count of finished tables, and put right what differs."""
    from app.services import records

    async def work(server: Any) -> tuple[int, ...]:
        return await records.recount(server, write=not check)

    found = with_server(work)
    typer.echo(f"the results of {len(found)} tables {'differ' if check else 'put right'}")
    if check and found:
        raise typer.Exit(1)

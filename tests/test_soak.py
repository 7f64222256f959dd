"""What the soak calls growing."""

import pytest

from bench.soak import Sample, grown


def sample(minute: int, **more: float) -> Sample:
    """A quiet server."""
    return Sample(
        **{
            "minute": minute,
            "memory": 200.0,
            "bots": 90.0,
            "tasks": 25.0,
            "waiting": 0.0,
            "sockets": 400.0,
            "remembered": 200.0,
            "moves": 100.0 * minute,
            "faults": 0.0,
            **more,
        }
    )


@pytest.mark.parametrize(
    ("name", "by"), [("memory", 8.0), ("bots", 4.0), ("tasks", 3.0), ("waiting", 1.0), ("sockets", 0.0)]
)
def test_what_grows_all_the_time_is_named_and_other_things_are_not(name: str, by: float) -> None:
    quiet = getattr(sample(0), name)
    samples = [sample(minute, **{name: quiet + by * minute}) for minute in range(60)]
    found = [each.partition(":")[0] for each in grown(samples)]
    assert found == ([name] if by else [])


def test_warming_up_and_little_differences_are_not_growing() -> None:
    warming = [
        sample(minute, memory=min(300.0, 100.0 + 12 * minute), tasks=25.0 + minute % 7) for minute in range(60)
    ]
    assert grown(warming) == []

"""A server that says it is there has read what its tables are drawn with."""

import gc
from collections.abc import Iterator

import pytest

from app.web.drawing import environment
from app.web.ready import YOUNG, make_ready
from tests.games.test_pages import every_game, every_language, moments, table_page


@pytest.fixture(autouse=True)
def rubbish() -> Iterator[None]:
    """Python looks for garbage as it did before."""
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)


@every_game
@every_language
def test_no_table_waits_for_a_template(slug: str, language: str) -> None:
    make_ready()
    cache = environment(language).cache
    assert cache is not None
    read = len(cache)
    table_page(moments(slug)[1], 0, language)
    assert len(cache) == read


def test_garbage_is_looked_for_seldom() -> None:
    make_ready()
    assert gc.get_threshold()[0] == YOUNG
    assert gc.get_freeze_count() > 0

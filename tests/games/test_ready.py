"""A server that says it is there has read what its tables are drawn with."""

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from jinja2 import Environment

from app.i18n import LANGUAGES
from app.web import compiled
from app.web.compiled import Compiled
from app.web.drawing import environment
from app.web.ready import YOUNG, make_ready
from tests.games.test_pages import every_game, every_language, moments, table_page


@pytest.fixture(autouse=True)
def rubbish() -> Iterator[None]:
    """Python looks for garbage as it did before, and templates are kept nowhere."""
    before = gc.get_threshold()
    yield
    gc.unfreeze()
    gc.set_threshold(*before)
    for language in LANGUAGES:
        environment(language).bytecode_cache = None


@every_game
@every_language
def test_no_table_waits_for_a_template(slug: str, language: str, tmp_path: Path) -> None:
    make_ready(tmp_path)
    cache = environment(language).cache
    assert cache is not None
    read = len(cache)
    table_page(moments(slug)[1], 0, language)
    assert len(cache) == read


def test_garbage_is_looked_for_seldom(tmp_path: Path) -> None:
    make_ready(tmp_path)
    assert gc.get_threshold()[0] == YOUNG
    assert gc.get_freeze_count() > 0


def forgetful(language: str, folder: Path) -> Environment:
    """The templates of a process that has just begun."""
    made = environment(language).overlay(cache_size=-1, bytecode_cache=Compiled(folder, language))
    assert made.bytecode_cache is not None
    return made


def no_work(*of: object) -> None:
    raise AssertionError("compiled again")


def test_what_was_compiled_before_is_not_compiled_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = {language: forgetful(language, tmp_path).get_template("pages/about.html") for language in LANGUAGES}
    monkeypatch.setattr(Environment, "compile", no_work)
    for language, template in first.items():
        again = forgetful(language, tmp_path).get_template("pages/about.html")
        assert again.root_render_func.__code__ == template.root_render_func.__code__
    assert first["en"].root_render_func.__code__ != first["ja"].root_render_func.__code__


def test_what_has_changed_since_is_compiled_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    forgetful("ja", tmp_path).get_template("pages/about.html")
    monkeypatch.setattr(compiled, "compiler", lambda language: "other sentences")
    monkeypatch.setattr(Environment, "compile", no_work)
    with pytest.raises(AssertionError, match="compiled again"):
        forgetful("ja", tmp_path).get_template("pages/about.html")


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(tmp_path: Path) -> None:
    (tmp_path / "templates").write_text("in the way")
    make_ready(tmp_path)
    for _ in range(2):
        assert forgetful("en", tmp_path / "templates").get_template("pages/about.html").name == "pages/about.html"


def test_a_torn_file_is_compiled_again(tmp_path: Path) -> None:
    forgetful("en", tmp_path).get_template("pages/about.html")
    [file] = tmp_path.iterdir()
    whole = file.read_bytes()
    for length in (0, 10, 40, len(whole) - 20):
        file.write_bytes(whole[:length])
        assert forgetful("en", tmp_path).get_template("pages/about.html").name == "pages/about.html"

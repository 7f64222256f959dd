"""What the first page of a process would wait for, done before the process says that it is there."""

import gc
import re
from contextlib import suppress
from pathlib import Path

from app import games
from app.i18n import LANGUAGES
from app.web.compiled import Compiled
from app.web.drawing import build, environment

READ = re.compile(r"(games/\w+/|lobby/|tables/(waiting/)?)?\w+\.html")
"""The templates of what a crowd asks for at once after a restart: the lobby, the tables, and what all pages share."""
YOUNG, MIDDLE, OLD = 50_000, 20, 20
"""How often Python looks for rings of objects that nobody holds any more. We hold much, nearly none of it in rings,
and with Python's own numbers the search took a quarter of the time under load."""


def make_ready(var: Path) -> None:
    """Reads boxes, words and templates, those that were compiled before from ``var/templates``; lets Python look for
    garbage among what comes later, more seldom."""
    folder = var / "templates"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    build()
    for slug in games.games():
        games.part(slug, "board").box(games.load(slug))
    for language in LANGUAGES:
        made = environment(language)
        made.bytecode_cache = Compiled(folder, language)
        for name in made.list_templates(filter_func=lambda name: READ.fullmatch(name) is not None):
            made.get_template(name)
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)

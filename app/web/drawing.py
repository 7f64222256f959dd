"""Templates: one Jinja environment a language, and the zones of a board, each drawn once for equal models."""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cache, lru_cache, partial
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Any

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from app.config import ROOT
from app.engine import notation
from app.i18n import LANGUAGES, LOCALE, NAMES, translations
from app.web import moments, timing
from app.web.static import content_sum
from app.web.templates import Templates, drawn, filled

TEMPLATES = ROOT / "templates"
STATIC = ROOT / "static"
LETTERS = "ABCDE"
NUMBER = re.compile(r"-\d+$")
KEPT = 10_000


def sentences(language: str, text: type[str] = Markup) -> dict[str, Any]:
    """What a template says in a language, as Jinja's own functions do it, but each sentence is looked up once.
    ``text``: what it is said in, HTML unless it is ``str``."""
    words = translations(language)
    fill: Callable[[str, Mapping[str, Any]], str] = filled if text is Markup else str.__mod__

    @cache
    def sentence(context: str, message: str) -> str:
        return text(words.pgettext(context, message) if context else words.gettext(message))

    @cache
    def bare(context: str, message: str) -> str:
        return text(sentence(context, message) % {})

    @lru_cache(KEPT)
    def counted(singular: str, plural: str, num: int) -> str:
        return text(words.ngettext(singular, plural, num))

    def gettext(message: str, /, **values: Any) -> str:
        return fill(sentence("", message), values) if values else bare("", message)

    def pgettext(context: str, message: str, /, **values: Any) -> str:
        return fill(sentence(context, message), values) if values else bare(context, message)

    def ngettext(singular: str, plural: str, num: int, /, **values: Any) -> str:
        values.setdefault("num", num)
        return fill(counted(singular, plural, num), values)

    return {"_": gettext, "gettext": gettext, "pgettext": pgettext, "ngettext": ngettext}


@cache
def environment(language: str) -> Environment:
    """The templates in one language. A name that is not there is an error, never an empty string."""
    made = Templates(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        cache_size=-1,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n", "jinja2.ext.do", "jinja2.ext.loopcontrols"],
    )
    made.install_gettext_translations(translations(language), newstyle=True)  # type: ignore[attr-defined]  # added by i18n
    made.globals.update(sentences(language))

    @cache
    def drawer(template: str) -> Callable[[Hashable], str]:
        @lru_cache(KEPT)
        def once(model: Hashable) -> str:
            return drawn(found, model)

        found = made.get_template(template)
        return once

    def part(template: str, model: Hashable) -> Markup:
        """A template drawn for one model, once for equal ones: pieces that stay as they were cost nothing."""
        return Markup(drawer(template)(model))

    def parts(template: str, models: Iterable[Hashable]) -> Markup:
        """A template drawn for each of these, one after the other."""
        return Markup("".join(map(drawer(template), models)))

    made.globals.update(
        part=part,
        parts=parts,
        language=language,
        languages=LANGUAGES,
        language_names=NAMES,
        letters=LETTERS,
        static=static_url,
        board_sheets=board_sheets,
        inline=inline,
        write=notation.write,
        day=partial(moments.day, language=language),
        month=partial(moments.month, language=language),
        moment=partial(moments.moment, language=language),
        stamp=partial(moments.stamp, language=language),
        city=partial(moments.city, language=language),
        days_ago=moments.days_ago,
    )
    made.filters["kind"] = kind_of
    return made


def kind_of(value: msgspec.Struct) -> str:
    """The tag of an action or event: its kind as a word."""
    return str(value.__struct_config__.tag)


@cache
def inline(path: str) -> Markup:
    """A drawing of ours set into the page (sprites must be in the page to be used by reference)."""
    text = (STATIC / path).read_text(encoding="utf-8")
    return Markup(text[text.index("<svg") :])


@cache
def board_sheets(slug: str) -> tuple[str, ...]:
    """The style sheets of a game's board, in the order that they count in; a small game has only the first."""
    paths = (f"games/{slug}/{name}.css" for name in ("board", "zones", "panels", "hand"))
    return tuple(path for path in paths if (STATIC / path).is_file())


@cache
def static_url(path: str) -> str:
    """The address of a static file, with its content in it, so that it may be kept for ever."""
    return f"/static/{path}?v={content_sum(STATIC / path)}"


@cache
def build() -> str:
    """What tells this version of the pages from another: templates, words, scripts and style sheets together."""
    files = sorted(path for folder in (TEMPLATES, STATIC, LOCALE) for path in folder.rglob("*.*") if path.is_file())
    return sha256("".join(content_sum(path) for path in files).encode()).hexdigest()[:12]


def draw(language: str, template: str, **context: Any) -> str:
    """A template in a language."""
    return environment(language).get_template(template).render(**context)


@lru_cache(KEPT)
def draw_zone(language: str, template: str, model: Hashable) -> str:
    """A zone as HTML. Equal models in one language are drawn once and shared by all who see the same."""
    began = perf_counter()
    html = drawn(environment(language).get_template(template), model)
    timing.zones.note(template, seconds=perf_counter() - began, size=len(html))
    return html


def draw_zones(language: str, slug: str, models: Mapping[str, Hashable]) -> dict[str, str]:
    """Every zone of a game's board, by name."""
    return {name: draw_zone(language, template_of(slug, name), model) for name, model in models.items()}


@cache
def template_of(slug: str, zone: str) -> str:
    """By what a zone of a game's board is drawn; ``player-1`` and ``player-2`` by one template."""
    return f"games/{slug}/{NUMBER.sub('', zone)}.html"


def template_exists(path: str) -> bool:
    """Whether there is such a template."""
    return Path(TEMPLATES / path).is_file()

"""Templates as Jinja itself draws them: compiled by Jinja, with its own sentences, and nothing remembered."""

from collections.abc import Hashable, Iterable
from functools import cache
from typing import Any

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from app.i18n import translations
from app.web.drawing import environment


@cache
def plain(language: str) -> Environment:
    """The templates in a language."""
    ours = environment(language)
    made = Environment(
        loader=ours.loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        extensions=["jinja2.ext.i18n", "jinja2.ext.do", "jinja2.ext.loopcontrols"],
    )

    def part(template: str, model: Hashable) -> Markup:
        return Markup(made.get_template(template).render(m=model))

    made.globals |= {name: value for name, value in ours.globals.items() if not name.endswith(("_", "gettext"))}

    def parts(template: str, models: Iterable[Hashable]) -> Markup:
        return Markup("").join([part(template, model) for model in models])

    made.globals |= {"part": part, "parts": parts}
    made.filters |= ours.filters
    made.install_gettext_translations(translations(language), newstyle=True)  # type: ignore[attr-defined]  # added by i18n
    return made


def drawn_plainly(language: str, template: str, **context: Any) -> str:
    """A template in a language."""
    return plain(language).get_template(template).render(**context)

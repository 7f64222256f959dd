"""The sentences in the source and the catalogues that translate them; ``make messages`` brings these up to date.

Sentences of the site are in ``site.po``, of the pages for those who keep order in ``admin.po``, of a game in
``<slug>.po``, of its rules page in ``<slug>_rules.po``.
"""

from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_file
from babel.messages.pofile import read_po, write_po

from app.i18n import DEFAULT, LANGUAGES, LOCALE

ROOT = Path(__file__).parent.parent
TEMPLATES = ROOT / "templates"
OPTIONS = {"extensions": "jinja2.ext.do,jinja2.ext.loopcontrols", "silent": "false"}
KEYWORDS = {"_": None, "gettext": None, "ngettext": (1, 2), "pgettext": ((1, "c"), 2), "npgettext": ((1, "c"), 2, 3)}
SITE = "site"
ADMIN = "admin"


def domain(template: Path) -> str:
    """The catalogue a template's sentences belong to."""
    parts = template.relative_to(TEMPLATES).parts
    if parts[0] in {"admin", "_acts.html"}:
        return ADMIN
    if parts[0] != "games" or len(parts) < 3:
        return SITE
    return f"{parts[1]}_rules" if parts[2].startswith("rules") else parts[1]


def extracted() -> dict[str, Catalog]:
    """Every sentence, by catalogue."""
    found: dict[str, Catalog] = {}
    for template in sorted(path for path in TEMPLATES.rglob("*") if path.suffix in {".html", ".txt"}):
        catalog = found.setdefault(domain(template), Catalog(charset="utf-8"))
        place = template.relative_to(ROOT).as_posix()
        for line, message, comments, context in extract_from_file(
            "jinja2.ext:babel_extract", template, keywords=KEYWORDS, options=OPTIONS
        ):
            catalog.add(message, locations=[(place, line)], auto_comments=comments, context=context)
    return {name: catalog for name, catalog in found.items() if len(catalog)}


def translated(language: str, name: str) -> Catalog:
    """A catalogue as it stands."""
    file = LOCALE / language / f"{name}.po"
    if not file.exists():
        return Catalog(locale=language)
    with file.open("rb") as source:
        return read_po(source, locale=language)


def others() -> Iterator[str]:
    """Every language but the one in the source."""
    yield from (language for language in LANGUAGES if language != DEFAULT)


def update() -> None:
    """Adds new sentences, untranslated, and drops those that are gone."""
    for language in others():
        for name, template in extracted().items():
            known = translated(language, name)
            template.creation_date = known.creation_date  # or two branches could never be merged
            known.update(template, no_fuzzy_matching=True)
            known.obsolete.clear()
            with (LOCALE / language / f"{name}.po").open("wb") as out:
                write_po(out, known, width=118, sort_by_file=True, include_lineno=False, omit_header=False)
            missing = [message.id for message in known if message.id and not message.string]
            print(f"{language}/{name}.po: {len(known)} sentences, {len(missing)} to be translated")


if __name__ == "__main__":
    update()

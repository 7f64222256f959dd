"""Which language, and the words in it: ``app/locale/<language>/<domain>.po``; English stands in the source."""

from functools import cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

LANGUAGES = ("en", "ja")
NAMES = {"en": "English", "ja": "日本語"}
DEFAULT = "en"
LOCALE = Path(__file__).parent / "locale"


@cache
def translations(language: str) -> NullTranslations:
    """The words of a language; English, being the source, has none but its own."""
    whole = Catalog(locale=language)
    for file in sorted((LOCALE / language).glob("*.po")):
        with file.open("rb") as source:
            for message in read_po(source, locale=language):
                if message.id and message.string and not message.fuzzy:
                    whole.add(message.id, message.string, context=message.context)
    if not len(whole):
        return NullTranslations()
    packed = BytesIO()
    write_mo(packed, whole)
    packed.seek(0)
    return GNUTranslations(packed)


def negotiated(header: str) -> str:
    """The language of ours that an ``Accept-Language`` header likes best."""
    wishes: list[tuple[float, str]] = []
    for part in header.split(","):
        tag, _, weight = part.strip().partition(";q=")
        try:
            liking = float(weight or 1)
        except ValueError:
            continue
        wishes.append((liking, tag.split("-")[0].lower()))
    for _, language in sorted(wishes, key=lambda wish: -wish[0]):
        if language in LANGUAGES:
            return language
    return DEFAULT


def sentence(language: str, text: str, **facts: object) -> str:
    """A sentence in the reader's language with its facts filled in."""
    return translations(language).gettext(text) % facts if facts else translations(language).gettext(text)

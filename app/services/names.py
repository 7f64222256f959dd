"""Nicknames: what a person may be called."""

import unicodedata

import regex

from app.services.errors import BadName

LONGEST = 24
HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
JOINERS = {"\u200d", "\ufe0f"}
"""Zero-width joiner and emoji presentation: needed inside emoji, refused elsewhere."""


def clean_name(written: str) -> str:
    """The name as it is kept: NFC, single spaces, 1–24 grapheme clusters. Raises :class:`BadName`.

    Invisible and direction-changing characters are refused, except where they hold an emoji together.
    """
    name = " ".join(unicodedata.normalize("NFC", written).split())
    if not name:
        raise BadName(reason="empty")
    clusters = regex.findall(r"\X", name)
    if len(clusters) > LONGEST or len(name) > LONGEST * 8:
        raise BadName(reason="long")
    for cluster in clusters:
        emoji = regex.search(r"\p{Extended_Pictographic}|[\u20e3\U0001f1e6-\U0001f1ff]", cluster)
        for character in cluster:
            hidden = unicodedata.category(character) in HIDDEN or character in JOINERS
            if hidden and not (emoji and (character in JOINERS or "\U000e0020" <= character <= "\U000e007f")):
                raise BadName(reason="characters")
    if not regex.search(r"(?![\p{Default_Ignorable_Code_Point}\u2800])[\p{L}\p{N}\p{S}\p{P}]", name):
        raise BadName(reason="empty")  # letters that are not seen: Hangul fillers, the blank of Braille
    return name

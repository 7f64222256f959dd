"""Names: what a person may be called, and when two names are one."""

import unicodedata

import regex

from app.services.errors import BadName

LONGEST = 24
HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
JOINERS = {"\u200d", "\ufe0f"}
"""Zero-width joiner and emoji presentation: needed inside emoji, refused elsewhere."""
UNSEEN = regex.compile(r"[\p{Default_Ignorable_Code_Point}\u2800]")


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


def name_key(name: str) -> str:
    """What names are compared by: case, width and whatever is not seen make no difference (NFKC and casefold)."""
    key = name
    for _ in range(2):  # folding one can bring forth another that is not folded yet
        key = UNSEEN.sub("", unicodedata.normalize("NFKC", key).casefold())
    return " ".join(unicodedata.normalize("NFKC", key).split())


def sought_key(written: str) -> str:
    """The key of a name by which somebody is looked for; empty when nobody can be called that."""
    key = name_key(written[: LONGEST * 8])
    return key if key.isprintable() else ""


def numbered(name: str, number: int) -> str:
    """The name with a number behind it, cut where it would get too long: what a guest is called whose name became
    that of an account."""
    clusters = regex.findall(r"\X", name)
    return f"{''.join(clusters[: LONGEST - len(str(number)) - 1]).rstrip()} {number}"

"""What is in the box, as data: editions are TOML files, checked with the file, the key and the reason."""

import re
import tomllib
from collections.abc import Sequence
from hashlib import sha256
from importlib.resources import files
from typing import TypeVar

import msgspec

from app.engine.contract import Edition

B = TypeVar("B", bound=msgspec.Struct)

HOUSE = "house"
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")


class EditionRefused(ValueError):
    """An edition file that is malformed or contradicts itself: the file, the key, and the reason."""

    def __init__(self, file: str, key: str, reason: str) -> None:
        self.file, self.key, self.reason = file, key, reason
        super().__init__(f"{file}: {key}: {reason}")


class NoSuchEdition(LookupError):
    """A name that no edition of this game goes by."""


def make_edition(name: str, file: str, text: str) -> Edition:
    """An edition from its text, with the hash that tables pin."""
    return Edition(name=name, file=file, text=text, digest=sha256(text.encode()).hexdigest()[:16])


def find_edition(package: str, name: str) -> Edition:
    """The edition ``editions/<name>.toml`` of a game's package.

    Raises :class:`NoSuchEdition`, and :class:`EditionRefused` when the file cannot be read, or is the house edition
    and not there.
    """
    if not NAME.fullmatch(name):
        raise NoSuchEdition(name)
    shown = f"{package.replace('.', '/')}/editions/{name}.toml"
    try:
        text = (files(package) / "editions" / f"{name}.toml").read_text(encoding="utf-8")
    except FileNotFoundError:
        if name != HOUSE:
            raise NoSuchEdition(name) from None
        raise EditionRefused(shown, "(file)", "it is not there, and every game has a house edition") from None
    except UnicodeDecodeError as fault:
        line = fault.object.count(b"\n", 0, fault.start) + 1
        raise EditionRefused(shown, "(file)", f"line {line} is not written in UTF-8") from fault
    except OSError as fault:
        raise EditionRefused(shown, "(file)", f"it cannot be read: {fault.strerror}") from fault
    return make_edition(name, shown, text)


def list_editions(package: str) -> tuple[str, ...]:
    """The names of the editions that come with a game, the house edition first."""
    folder = files(package) / "editions"
    listed = folder.iterdir() if folder.is_dir() else ()
    names = [file.name[: -len(".toml")] for file in listed if file.name.endswith(".toml")]
    return tuple(sorted(names, key=lambda name: (name != HOUSE, name)))


def read_box(edition: Edition, kind: type[B]) -> B:
    """The contents of the box as ``kind``. Raises :class:`EditionRefused` for bad TOML or a wrong shape."""
    try:
        data = tomllib.loads(edition.text)
    except tomllib.TOMLDecodeError as fault:
        raise EditionRefused(edition.file, "(syntax)", str(fault)) from fault
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as fault:
        reason, _, path = str(fault).partition(" - at `")
        key = path.removesuffix("`").removeprefix("$").removeprefix(".") or "(top)"
        raise EditionRefused(edition.file, key, reason) from fault


def check(edition: Edition, key: str, holds: bool, reason: str) -> None:
    """Raises :class:`EditionRefused` unless the claim about ``key`` holds."""
    if not holds:
        raise EditionRefused(edition.file, key, reason)


def check_unique(edition: Edition, key: str, ids: Sequence[str]) -> None:
    """Raises :class:`EditionRefused` when an id stands twice."""
    for index, item in enumerate(ids):
        if item in ids[:index]:
            raise EditionRefused(edition.file, f"{key}[{index}].id", f"{item} stands twice")


def line_of(text: str, key: str, reason: str = "") -> int:
    """The line on which a key of an edition stands (``garden_card[31].bonus``), counted from 1; 0: not found."""
    told = re.search(r"at line (\d+)", reason)
    if told:
        return int(told.group(1))
    at, lines = 0, text.splitlines()
    for part in key.split("."):
        name, _, index = part.partition("[")
        count = int(index.rstrip("]")) if index.rstrip("]").isdecimal() else 0
        word = re.escape(name)
        header = re.compile(rf"\s*(?:\[\[?\s*(?:[\w-]+\.)*{word}[\w.-]*\s*\]|\"?{word}\"?[\w.]*\s*=)")
        here = [number for number in range(at, len(lines)) if header.match(lines[number])]
        if len(here) <= count:
            return here[-1] + 1 if here else at and at + 1
        at = here[count]
    return at + 1

"""Actions as text: ``place:12:4:2`` is a kind and its fields, in the order they are declared."""

import re
from functools import cache, lru_cache
from typing import Any, get_type_hints

import msgspec

from app.engine.contract import Action, AnyGame

WORD = re.compile(r"[a-z0-9][a-z0-9_.-]*|-", re.IGNORECASE)
WHOLE = re.compile(r"-?[0-9]{1,9}")
LONGEST = 200
KEPT = 20_000
"""So many actions are written once only: pages, bots and exports ask for the same again and again."""


class NotAnAction(ValueError):
    """A text that no action of this game is written as."""


@cache
def _kinds(types: tuple[type[Action], ...]) -> dict[str, tuple[type[Action], tuple[tuple[str, type], ...]]]:
    kinds: dict[str, tuple[type[Action], tuple[tuple[str, type], ...]]] = {}
    for kind in types:
        hints = get_type_hints(kind)
        fields = tuple((field, hints[field]) for field in kind.__struct_fields__)
        assert all(hint in (int, str) for _, hint in fields), f"{kind.__name__}: fields are int or str"
        kinds[str(kind.__struct_config__.tag)] = (kind, fields)
    return kinds


@lru_cache(KEPT)
def write(action: Action) -> str:
    """The action as text."""
    tag = action.__struct_config__.tag
    return ":".join((str(tag), *(str(getattr(action, field)) for field in action.__struct_fields__)))


def parse(game: AnyGame | type[AnyGame], text: str) -> Any:
    """The action that ``text`` writes, legal or not. Raises :class:`NotAnAction`."""
    if len(text) > LONGEST:
        raise NotAnAction(text[:LONGEST])
    name, *words = text.split(":")
    kinds = _kinds(game.action_types)
    if name not in kinds:
        raise NotAnAction(text)
    kind, fields = kinds[name]
    if len(words) != len(fields):
        raise NotAnAction(text)
    values: list[int | str] = []
    for word, (_, hint) in zip(words, fields, strict=True):
        if not (WHOLE if hint is int else WORD).fullmatch(word):
            raise NotAnAction(text)
        values.append(int(word) if hint is int else word)
    action = kind(*values)
    if write(action) != text:
        raise NotAnAction(text)
    try:
        msgspec.convert(msgspec.to_builtins(action), kind)
    except msgspec.ValidationError as fault:
        raise NotAnAction(text) from fault
    return action

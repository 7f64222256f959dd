"""Every sentence that a person reads is there in every language."""

import re

import pytest
from babel.messages.catalog import Catalog, Message

from tests import messages

FOUND = messages.extracted()
PLACES = re.compile(r"%\((\w+)\)[sd]|%[sd]")
TAGS = re.compile(r"</?(\w+)[^>]*>")


def strings(message: Message) -> tuple[str, ...]:
    return message.string if isinstance(message.string, tuple | list) else (message.string,)  # type: ignore[return-value]  # babel's own typing is loose


def ids(message: Message) -> tuple[str, ...]:
    return message.id if isinstance(message.id, tuple | list) else (message.id,)  # type: ignore[return-value]  # babel's own typing is loose


def keys(catalog: Catalog) -> set[tuple[str, str | None]]:
    return {(ids(message)[0], message.context) for message in catalog if message.id}


@pytest.mark.parametrize("name", sorted(FOUND))
@pytest.mark.parametrize("language", sorted(messages.others()))
def test_every_sentence_is_translated_and_none_is_left_over(language: str, name: str) -> None:
    known = messages.translated(language, name)
    assert keys(FOUND[name]) - keys(known) == set(), "run make messages, and translate"
    assert keys(known) - keys(FOUND[name]) == set(), "run make messages"
    empty = [message.id for message in known if message.id and not all(strings(message))]
    assert empty == []
    assert [message.id for message in known if message.fuzzy and message.id] == []


@pytest.mark.parametrize("name", sorted(FOUND))
@pytest.mark.parametrize("language", sorted(messages.others()))
def test_a_translation_has_the_facts_and_the_markup_of_its_sentence(language: str, name: str) -> None:
    for message in messages.translated(language, name):
        if not message.id:
            continue
        places = {place for text in ids(message) for place in PLACES.findall(text)}
        tags = {tag for text in ids(message) for tag in TAGS.findall(text)}
        for text in strings(message):
            assert set(PLACES.findall(text)) <= places, message.id
            assert set(TAGS.findall(text)) <= tags, message.id
        for place in places - {"num", "count"}:
            assert any(place in PLACES.findall(text) for text in strings(message)), message.id


def test_there_are_sentences_at_all() -> None:
    assert {"site", "hanging_gardens", "hanging_gardens_rules"} <= set(FOUND)
    assert sum(len(catalog) for catalog in FOUND.values()) > 300

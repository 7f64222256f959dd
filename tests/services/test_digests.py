"""What a letter about tables says: where it is my turn, and what happened since I left, as my seat may know it."""

import pytest

from app.services import lobby, visits
from app.services.accounts import Me
from app.services.lobby import Wish
from app.services.news import News
from app.web import digest
from app.web.digest import lines_of
from tests.services.notified import Post, change, reachable
from tests.services.test_tables import opened, play


@pytest.fixture
async def ada(post: Post) -> Me:
    return await reachable(post.server, "Ada")


@pytest.fixture
async def ben(post: Post) -> Me:
    return await reachable(post.server, "Ben", letters="never")


async def until_turn_of(post: Post, table_id: int, people: list[Me], seat: int, *, least: int) -> int:
    """Plays on until another has left the choice to that seat, after so many moves at least; how many it were."""
    held = await post.server.states.newest(table_id)
    while held.position is not None and (
        held.version < least or seat not in held.position.waiting or held.lines[-1].seat == seat
    ):
        assert not held.position.over, "it would never be that seat's turn"
        held = await play(post.server, table_id, people, moves=1)
    return held.version


async def test_a_letter_tells_what_happened_since_and_how_to_get_no_more(post: Post, ada: Me, ben: Me) -> None:
    table_id = await opened(post.server, ada, ben)
    seen = await until_turn_of(post, table_id, [ada, ben], 1, least=2)
    held = await post.server.states.newest(table_id)
    await visits.note(post.server, ada, held, version=seen)
    await until_turn_of(post, table_id, [ada, ben], 0, least=seen + 1)
    assert await post.after(minutes=3) == ["ada: Your turn: The Hanging Gardens"]
    said = post.last
    key = held.facts.key
    assert f"https://club.example/tables/{key}" in said
    _, _, since = said.partition("Since you left:")
    lines = [line for line in since.splitlines() if line.startswith("  - ")]
    assert lines
    assert all("Ben" in line for line in lines), "only what others did since"
    assert not any(sign in said for sign in ("<b>", "</", "&#", "&lt;"))
    link = post.letter["List-Unsubscribe"].strip("<>")
    assert link.startswith("https://club.example/unsubscribe?token=")
    assert link in said
    assert post.letter["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


async def test_a_long_absence_is_told_in_short_in_the_readers_language(post: Post, ada: Me, ben: Me) -> None:
    await change(post.server, "UPDATE users SET language = 'ja' WHERE id = :id", id=ada.id)
    table_id = await opened(post.server, ada, ben)
    await until_turn_of(post, table_id, [ada, ben], 0, least=20)  # each places twelve cards
    assert await post.after(minutes=3) == ["ada: あなたの手番です:ハンギング・ガーデン"]
    lines = [line for line in post.last.splitlines() if line.startswith("  - ")]
    assert len(lines) == digest.MOST_LINES
    assert all(len(line) <= digest.LONGEST + 4 for line in lines)
    assert "ほかに以前の" in post.last
    assert not any(word in post.last for word in ("your turn", "placed", "level"))


async def test_a_letter_knows_no_more_than_the_seat(post: Post, ada: Me, ben: Me) -> None:
    """Whatever a line of a letter says, the log of that seat's page says."""
    for slug in ("babylon", "amyitis", "hanging_gardens"):
        key = await lobby.open_table(post.server, ada, Wish(slug=slug, seats=2))
        table_id = await post.server.states.find_id(key)
        await lobby.sit(post.server, ben, table_id)
        await lobby.start(post.server, ada, table_id)
        held = await play(post.server, table_id, [ada, ben], moves=14)
        told = {seat: lines_of(News("turn", held, seat, me.id), "en") for seat, me in ((0, ada), (1, ben))}
        assert all(told.values()), slug
        shared = lines_of(News("turn", held, None, ada.id), "en")
        assert len(shared) <= len(told[0]) + len(told[1])
        hidden = {
            event
            for item in (held.position.played if held.position else ())
            for event in map(repr, item.events)
            if all(each.seen_by(1) is None for each in item.events if repr(each) == event)
        }
        assert not any(event in line for event in hidden for line in told[1])


async def test_several_tables_are_one_letter_with_all_of_them(post: Post, ada: Me, ben: Me) -> None:
    ids = [await opened(post.server, ada, ben) for _ in range(digest.MOST_TOLD + 2)]
    keys = [(await post.server.states.newest(table_id)).facts.key for table_id in ids]
    assert await post.after(minutes=3) == [f"ada: {len(keys)} tables wait for you"]
    assert sum(key in post.last for key in keys) == digest.MOST_TOLD
    assert "And of 2 more tables." in post.last

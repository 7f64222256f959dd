"""Since you left: the board plays what others did meanwhile, a line each; a second look is the table itself."""

import re
from itertools import pairwise

import pytest
from sqlalchemy import text

from app.web.recap import story
from tests.conftest import Site
from tests.services.test_analysis import table
from tests.web.playing import held_of, opened, play_out


async def be_away(site: Site) -> None:
    """An hour goes by."""
    async with site.server.sessions.begin() as session:
        await session.execute(text("UPDATE visits SET at = at - interval '1 hour'"))


@pytest.mark.parametrize(("language", "words"), [("en", "Since you left"), ("ja", "離れていた間")])
async def test_who_comes_back_is_told_what_happened_and_then_plays(site: Site, language: str, words: str) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob", language)
    key = await opened(alice, bob)
    assert words not in (await bob.get(f"/tables/{key}")).text
    await play_out(site, key, most=9)
    assert words not in (await bob.get(f"/tables/{key}")).text
    await play_out(site, key, most=9)
    await be_away(site)
    page = (await bob.get(f"/tables/{key}")).text
    assert words in page
    assert "data-plays" in page
    assert "hx-ws:connect" not in page
    assert re.search(r'id="moment"[^>]*data-at="9"', page)
    lines = [int(at) for at in re.findall(r'data-at="(\d+)">', page.split('id="recap"')[1])]
    assert lines == sorted(lines)
    assert lines[-1] == (await held_of(site, key)).version
    again = (await bob.get(f"/tables/{key}")).text
    assert words not in again
    assert "hx-ws:connect" in again


async def test_spectators_and_those_who_watched_are_told_nothing(site: Site) -> None:
    alice, bob, eve = await site.guest("Alice"), await site.guest("Bob"), await site.guest("Eve")
    key = await opened(alice, bob)
    for client in (alice, bob, eve):
        await client.get(f"/tables/{key}")
    await play_out(site, key, most=8)
    assert (await bob.post(f"/tables/{key}/seen", data={"version": "8"})).status_code == 204
    await be_away(site)
    for client in (bob, eve):
        assert "data-plays" not in (await client.get(f"/tables/{key}")).text
    assert "data-plays" in (await alice.get(f"/tables/{key}")).text


async def test_nonsense_about_what_was_seen_is_refused(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(alice, bob)
    assert (await alice.post(f"/tables/{key}/seen", data={"version": "x"})).status_code == 422
    assert (await alice.post(f"/tables/{key}/seen", data={"version": "-1"})).status_code == 422
    assert (
        await site.client(headers={"Origin": site.url}).post(f"/tables/{key}/seen", data={"version": "3"})
    ).is_success
    assert (await alice.post("/tables/aaaaaaaaaaaa/seen", data={"version": "3"})).status_code == 404


@pytest.mark.parametrize("slug", ["hanging_gardens", "amyitis"])
def test_passes_are_folded_and_every_other_move_has_a_line(slug: str) -> None:
    over = table(slug, entries=None)
    assert over.position is not None
    told = story(over, 0, 0)
    assert [entry.seq for line in told for entry in line.entries] == [item.seq for item in over.position.played]
    assert any(line.folded for line in told)
    for one, other in pairwise(told):
        assert not (one.folded and other.folded and one.seat == other.seat)
    for line in told:
        assert len(line.entries) == 1 or line.folded
        assert not line.folded or not any(entry.gains for entry in line.entries)
        assert line.at == line.entries[-1].seq

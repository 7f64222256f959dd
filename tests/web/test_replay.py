"""Replay: turn by turn, from anybody's place once the game is over and from one's own before."""

import re

from app.services.held import Held
from app.web import replay
from tests.conftest import Site
from tests.web.playing import held_of, move, opened, play_out

HTMX = {"HX-Request": "true"}


def garden(page: str) -> str:
    """Whose panel lies at the centre."""
    found = re.search(r'id="zone-player-0">\s*<section[^>]*id="player-(\d)"', page)
    assert found
    return found[1]


async def test_a_moment_has_a_track_a_link_and_the_way_to_an_analysis(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(alice, bob)
    await move(site, key, [alice, bob], 12)
    held = await held_of(site, key)
    page = (await alice.get(f"/tables/{key}?at=4")).text
    marks = [int(at) for at in re.findall(r'<a href="/tables/\w+\?at=(\d+)" data-at', page)]
    assert marks == [mark.at for mark in replay.track(held)]
    assert marks == sorted(set(marks))
    assert marks[-1] == 12
    assert f'value="{site.url}/tables/{key}?at=4"' in page
    assert f'href="/tables/{key}/analysis?at=4"' in page
    assert 'name="as"' not in page
    part = (await alice.get(f"/tables/{key}?at=5", headers=HTMX)).text
    assert f'data-address="/tables/{key}?at=5"' in part
    assert "track" not in part


async def test_before_the_end_a_moment_is_seen_from_ones_own_place_only(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(alice, bob)
    await move(site, key, [alice, bob], 6)
    own = (await bob.get(f"/tables/{key}?at=3")).text
    assert garden(own) == "2"
    for wish in ("0", "none", "7", "x"):
        assert garden((await bob.get(f"/tables/{key}?at=3&as={wish}")).text) == "2"
    await play_out(site, key)
    assert garden((await bob.get(f"/tables/{key}?at=3&as=0")).text) == "1"
    assert garden((await alice.get(f"/tables/{key}?at=3&as=1")).text) == "2"
    last = (await held_of(site, key)).version
    page = (await alice.get(f"/tables/{key}?at={last}&as=1")).text
    assert garden(page) == "2"
    assert f"?at={last - 1}&amp;as=1" in page


async def test_the_places_of_a_moment_are_asked_for_by_plain_words(site: Site) -> None:
    alice, bob = await site.guest("Alice", "ja"), await site.guest("Bob")
    key = await opened(alice, bob)
    await play_out(site, key)
    page = (await alice.get(f"/tables/{key}?at=3&as=none")).text
    assert re.search(r'<option value="none" selected>', page)
    assert "観戦" in page
    held: Held = await held_of(site, key)
    assert replay.place_of(held, None, "none") == (None, "none")
    assert replay.place_of(held, None, "") == (None, "")

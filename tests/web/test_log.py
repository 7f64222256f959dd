"""The log: in the reader's language, filtered by seat and by kind, every point explained, nothing hidden told."""

import re

import pytest

from tests.conftest import Site
from tests.web.playing import held_of, legal, move, opened

HTMX = {"HX-Request": "true"}


def entries(page: str) -> list[tuple[int, str]]:
    """Number and markup of each line."""
    return [
        (int(seq), html) for seq, html in re.findall(r'<li id="entry-(\d+)"(.*?)</li>\s*(?=<li|</ol)', page, re.S)
    ]


async def test_the_log_is_filtered_by_seat_and_by_kind(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(alice, bob)
    await move(site, key, [alice, bob], 14)
    whole = entries((await alice.get(f"/tables/{key}/log", headers=HTMX)).text)
    assert len(whole) == 14
    mine = entries((await alice.get(f"/tables/{key}/log?who=0", headers=HTMX)).text)
    other = entries((await alice.get(f"/tables/{key}/log?who=1", headers=HTMX)).text)
    assert sorted(mine + other) == sorted(whole)
    cards = entries((await alice.get(f"/tables/{key}/log?what=took", headers=HTMX)).text)
    assert 0 < len(cards) <= len(whole)
    assert all("from row" in html for _, html in cards)
    both = entries((await alice.get(f"/tables/{key}/log?what=took&who=1", headers=HTMX)).text)
    assert {seq for seq, _ in both} == {seq for seq, _ in cards} & {seq for seq, _ in other}
    for odd in ("who=9", "who=x", "what=nonsense", "who=-1&what=points:nonsense"):
        assert entries((await alice.get(f"/tables/{key}/log?{odd}", headers=HTMX)).text) == whole


async def test_points_are_explained_by_the_entries_that_made_them(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob", "ja")
    key = await opened(alice, bob)
    await move(site, key, [alice, bob], 14)
    points = entries((await alice.get(f"/tables/{key}/log?what=points&who=0", headers=HTMX)).text)
    assert points
    assert all('class="gains"' in html for _, html in points)
    sums = [
        int(number.replace("−", "-").replace("±", ""))
        for _, html in points
        for number in re.findall(r"<b>([+−±]\d+)</b>", html)
    ]
    page = (await alice.get(f"/tables/{key}")).text
    total = re.search(r'id="player-1".*?class="total">(\d+)', page, re.S)
    assert total
    assert sum(sums) >= int(total[1])
    trees = (await bob.get(f"/tables/{key}/log?what=points:trees", headers=HTMX)).text
    assert all("樹木" in html or "木" in html for _, html in entries(trees))


async def test_moves_taken_back_can_be_asked_for_and_say_no_more_than_that(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(alice, bob, game="amyitis")
    clients, held = [alice, bob], await held_of(site, key)
    seat, _, _ = legal(held)
    await move(site, key, clients)
    await clients[seat].post(f"/tables/{key}/act", data={"action": "undo", "seat": str(seat), "latest": "1"})
    undone = entries((await alice.get(f"/tables/{key}/log?what=undone", headers=HTMX)).text)
    assert [seq for seq, _ in undone] == [2, 1]
    assert "gains" not in undone[1][1]


async def test_a_long_log_goes_on_with_what_was_asked_for(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(alice, bob, game="amyitis")
    await move(site, key, [alice, bob], 150)
    seen: list[int] = []
    address: str | None = f"/tables/{key}/log?who=1"
    while address:
        page = (await alice.get(address, headers=HTMX)).text
        seen += [seq for seq, _ in entries(page)]
        more = re.search(r'class="earlier" href="([^"]+)"', page)
        address = more[1].replace("&amp;", "&") if more else None
    assert len(seen) > 60
    assert seen == sorted(set(seen), reverse=True)


@pytest.mark.parametrize(("language", "words"), [("en", ("Everybody", "My own")), ("ja", ("全員", "自分"))])
async def test_without_script_the_log_is_a_page_with_a_filter(
    site: Site, language: str, words: tuple[str, str]
) -> None:
    alice, bob = await site.guest("Alice", language), await site.guest("Bob")
    key = await opened(alice, bob)
    await move(site, key, [alice, bob], 6)
    page = (await alice.get(f"/tables/{key}/log?who=0&what=took")).text
    assert all(word in page for word in words)
    assert re.search(r'<option value="took" selected>', page)
    assert re.search(r'<option value="0" selected>', page)
    assert f'href="/tables/{key}?at=' in page

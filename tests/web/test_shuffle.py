"""Fair shuffles: the seal from the first moment, what was sealed at the end and never before."""

from hashlib import sha256

import pytest

from tests.conftest import Site
from tests.web.playing import held_of, move, opened, play_out

PAGES = ("", "/shuffle", "/log", "?at=0", "?at=2", "/analysis", "/analysis?at=1", "/statistics", "/game")


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_the_seal_is_shown_from_the_first_move_and_what_was_sealed_at_the_end(
    site: Site, language: str
) -> None:
    alice, bob = await site.guest("Alice", language), await site.guest("Bob")
    key = await opened(alice, bob)
    seed = (await held_of(site, key)).facts.seed
    seal = sha256(seed.encode()).hexdigest()
    for path in ("", "/shuffle"):
        page = (await alice.get(f"/tables/{key}{path}")).text
        assert f'data-seal="{seal}" data-seed=""' in page
        assert f">{seal}</code>" in page
    await play_out(site, key)
    for client in (alice, site.client()):
        for path in ("", "/shuffle", "?at=3"):
            page = (await client.get(f"/tables/{key}{path}")).text
            assert f'data-seal="{seal}" data-seed="{seed}"' in page
        page = (await client.get(f"/tables/{key}/shuffle")).text
        assert f"printf %s {seed} | sha256sum" in page
        assert f"python -m app replay hanging_gardens-{key}.game" in page


async def test_what_was_sealed_is_on_no_page_before_the_end(site: Site) -> None:
    alice, bob = await site.guest("Alice"), await site.guest("Bob")
    key = await opened(alice, bob)
    for _ in range(6):
        await move(site, key, [alice, bob], 2)
        seed = (await held_of(site, key)).facts.seed
        for client in (alice, bob, site.client()):
            for path in PAGES:
                answer = await client.get(f"/tables/{key}{path}")
                assert seed not in answer.text
                assert all(seed not in value for value in answer.headers.values())


async def test_the_shuffle_of_a_table_that_waits_is_sealed_too(site: Site) -> None:
    alice = await site.guest("Alice")
    key = (await alice.post("/tables", data={"game": "hanging_gardens", "seats": "2", "do": "open"})).url.path[8:]
    page = (await alice.get(f"/tables/{key}/shuffle")).text
    held = await held_of(site, key)
    assert sha256(held.facts.seed.encode()).hexdigest() in page
    assert held.facts.seed not in page

"""Profiles as pages: anybody's account, in the reader's language and time zone; private tables for nobody else."""

import pytest

from tests.conftest import Site, account, person
from tests.services.endings import ended


@pytest.mark.parametrize("language", ["en", "ja"])
async def test_a_profile_has_an_address_in_any_script(site: Site, language: str) -> None:
    mika = await account(site.server, "美香/鷺?#%🦁")
    bob = await account(site.server, "Bob")
    await ended(site.server, [mika, bob], [1, 2])
    await ended(site.server, [bob, mika], [1, 2], slug="amyitis")
    client = site.client(headers={"Accept-Language": language})
    page = await client.get("/@Bob")
    assert page.status_code == 200
    assert 'href="/@%E7%BE%8E%E9%A6%99%2F%E9%B7%BA%3F%23%25%F0%9F%A6%81"' in page.text
    page = await client.get("/@%E7%BE%8E%E9%A6%99%2F%E9%B7%BA%3F%23%25%F0%9F%A6%81")
    assert page.status_code == 200
    assert "美香/鷺?#%🦁" in page.text
    one = (await client.get("/@bob?game=amyitis")).text
    assert one.count("/tables/") == 1


async def test_a_private_table_is_not_in_a_profile(site: Site) -> None:
    carol, bob = await account(site.server, "Carol"), await account(site.server, "Bob")
    await ended(site.server, [carol, bob], [1, 2], public=False)
    page = (await site.client().get("/@carol")).text
    assert "/tables/" not in page
    assert "Bob" not in page
    eve = await site.guest("Eve")
    assert "/tables/" not in (await eve.get("/@carol")).text


async def test_nobody_finds_a_guest_or_nonsense(site: Site) -> None:
    await person(site.server, "Mika")
    client = site.client(headers={"Accept-Language": "en"})
    for name in ("Mika", "Nobody", "%00", "%ED%A0%80", "x" * 3000, "..%2f..%2fetc", "", "%20", "a%E2%80%8Bb"):
        answer = await client.get(f"/@{name}")
        assert answer.status_code == 404, name
    assert "Nobody here is called that." in answer.text
    assert (await client.get("/me")).url.path == "/name"


async def test_my_own_profile_says_what_to_do_first(site: Site) -> None:
    guest = await site.guest("Mika", "ja")
    page = (await guest.get("/me")).text
    assert "美" not in page
    assert 'href="/me/preferences"' in page
    for query in ("game=chess", "game=%00", "before=%00", "before=" + "x" * 500, "game=amyitis&before=abc"):
        assert (await guest.get(f"/me?{query}")).status_code == 200

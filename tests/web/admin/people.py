"""Browsers of people with a role."""

import httpx
from sqlalchemy import text

from tests.conftest import Site

PASSWORD = "three odd words"


async def member(site: Site, name: str, role: str = "", language: str = "en") -> httpx.AsyncClient:
    """Somebody with an account, and a role."""
    client = site.client(headers={"Accept-Language": language, "Origin": site.url})
    answer = await client.post("/sign-up", data={"name": name, "password": PASSWORD, "next": "/about"})
    assert answer.status_code == 200, answer.text
    async with site.server.engine.begin() as connection:
        await connection.execute(
            text("UPDATE users SET role = :role WHERE name = :name"), {"role": role, "name": name}
        )
    return client


async def number_of(site: Site, name: str) -> int:
    """The number of the person of that name."""
    async with site.server.engine.connect() as connection:
        found = await connection.execute(text("SELECT id FROM users WHERE name = :name"), {"name": name})
    return int(found.scalar_one())


async def acts(site: Site) -> list[str]:
    """The words of the record, the first first."""
    async with site.server.engine.connect() as connection:
        return list((await connection.execute(text("SELECT act FROM audit ORDER BY id"))).scalars())

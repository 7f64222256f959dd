"""A club in which every page has something on it: tables at every stage, people of every kind, letters, bans."""

import re
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default

import httpx
from sqlalchemy import text

from app.commands.rounds import rounds
from app.engine import notation
from app.engine.editions import find_edition
from app.games import games
from app.services.roads import letters_in
from app.web.unsubscribing import address_of
from tests.conftest import PASSWORD, Site
from tests.web.admin.people import member, number_of
from tests.web.playing import held_of, opened, play_out

AWAY = "203.0.113.9"
"""An address that may not come in."""
LONG = "空中庭園の白鷺と夕暮れの獅子の物語を語る人"


@dataclass
class Furnished:
    """Where everything is, by a word; and who knows it, as the browsers they have."""

    site: Site
    places: dict[str, str] = field(default_factory=dict)
    people: dict[str, httpx.AsyncClient] = field(default_factory=dict)

    async def keep(self, word: str, answer: httpx.Response) -> httpx.Response:
        """Remembers where somebody was led."""
        assert answer.status_code < 300, answer.text
        self.places[word] = answer.url.raw_path.decode()
        return answer


async def furnish(site: Site) -> Furnished:
    """All of it."""
    club = Furnished(site)
    for name, role in (("Alice", ""), ("Olga", "owner"), ("Mo", "moderator")):
        club.people[name] = await member(site, name, role)
    for name in ("Bob", "Carol", "Dan", "Goes", LONG):
        club.people[name] = await site.guest(name)
    club.people["Eve"] = site.client(headers={"Origin": site.url, "Accept-Language": "en"})
    await _tables_in_play(club)
    await _tables_that_wait(club)
    await _letters(club)
    await _talk(club)
    await _asked_once_more(club)
    await _order(club)
    return club


async def _tables_in_play(club: Furnished) -> None:
    site, people, places = club.site, club.people, club.places
    alice, bob, dan = people["Alice"], people["Bob"], people["Dan"]
    for slug in sorted(games()):
        key = await opened(alice, bob, game=slug)
        await play_out(site, key, most=9)
        places[slug] = f"/tables/{key}"
    for word, most in (("over", 10_000), ("left", 5), ("missed", 9), ("paused", 3), ("parted", 6)):
        key = await opened(alice, dan)
        if word == "missed":
            await dan.get(f"/tables/{key}")
        await play_out(site, key, most=most)
        places[word] = f"/tables/{key}"
    await dan.post(f"{places['left']}/leave")
    offer = re.search(r"/offers/[\w-]+", (await alice.get(places["left"])).text)
    assert offer
    places["offer"] = offer[0]
    key = await opened(alice, seats="2", visibility="link")
    await alice.post(f"/tables/{key}/share", data={"name": "Nabu"})
    assert (await alice.post(f"/tables/{key}/start")).status_code == 200
    places["gate"] = f"/tables/{key}"


async def _tables_that_wait(club: Furnished) -> None:
    site, people = club.site, club.people
    alice, bob, carol = people["Alice"], people["Bob"], people["Carol"]
    opening = {"game": "hanging_gardens", "seats": "4", "do": "open"}
    for word in ("room", "expiring", "warned"):
        key = (await club.keep(word, await alice.post("/tables", data=opening))).url.path
        await alice.post(f"{key}/seat", data={"do": "bot", "seat": "2", "bot": "random"})
        await bob.post(f"{key}/join")
        await alice.post(f"{key}/invitations", data={"name": "Carol"})
    await club.keep("link", await bob.post("/tables", data={**opening, "visibility": "link"}))
    await club.keep("door", await bob.post("/tables", data={**opening, "password": "pomegranate"}))
    await club.keep("gone", await bob.post("/tables", data=opening))
    await bob.post(f"{club.places['gone']}/leave")
    await bob.post(f"{club.places['link']}/invitations", data={"name": LONG})
    for word in ("expired", "expiring"):
        await club.keep(word, await carol.post("/tables", data={**opening, "seats": "2"}))
    async with site.server.engine.begin() as connection:
        for word, change in (
            ("warned", "moved_at = now() - interval '40 hours', warned_at = now() - interval '1 hour'"),
            ("expiring", "moved_at = now() - interval '40 hours', warned_at = now() - interval '1 hour'"),
            ("expired", "status = 'cancelled', ended = 'expired'"),
            ("hanging_gardens", "moved_at = now() - interval '29 days', warned_at = now() - interval '1 hour'"),
        ):
            await connection.execute(
                text(f"UPDATE tables SET {change}, changed = changed + 1 WHERE key = :key"),
                {"key": club.places[word].rpartition("/")[2]},
            )
        dan = "(SELECT id FROM users WHERE name = 'Dan')"
        await connection.execute(text(f"UPDATE visits SET at = at - interval '1 hour' WHERE user_id = {dan}"))
        await connection.execute(text("ALTER TABLE entries DISABLE TRIGGER ALL"))
        await connection.execute(
            text(
                "UPDATE entries SET digest = 'of other rules' WHERE seq = 4"
                " AND table_id = (SELECT id FROM tables WHERE key = :key)"
            ),
            {"key": club.places["parted"].rpartition("/")[2]},
        )
        await connection.execute(text("ALTER TABLE entries ENABLE TRIGGER ALL"))


async def _letters(club: Furnished) -> None:
    server, alice = club.site.server, club.people["Alice"]
    post = next(each.work for each in rounds(server) if each.name == "the letters")
    for word, address in (("confirm", "alice@example.org"), ("password", ""), ("confirm", "alice@example.com")):
        if address:
            await alice.post("/me/email", data={"email": address, "password": PASSWORD})
        else:
            await club.people["Eve"].post("/forgotten", data={"who": "alice@example.org"})
        await post()
        letter = message_from_bytes(letters_in(server.settings.var)[0].read_bytes(), policy=default)
        assert isinstance(letter, EmailMessage)
        link = re.search(rf"/{word}\?token=\S+", letter.get_content())
        assert link, (word, letter)
        club.places[word] = link[0]
        if address == "alice@example.org":
            await alice.post("/confirm", data={"token": link[0].partition("=")[2]})


async def _talk(club: Furnished) -> None:
    people, table = club.people, club.places["hanging_gardens"]
    for name, words in (("Bob", "Well played. https://example.org/"), ("Alice", "見事です。"), ("Dan", "Hm.")):
        await people[name].post(f"{table}/talk", data={"words": words, "once": name})
    await people["Alice"].post(f"{table}/talk/about", data={"report": "1"})
    club.places["unsubscribe"] = address_of(club.site.server.settings, site="", user_id=1)


async def _asked_once_more(club: Furnished) -> None:
    """Somebody alone at a table who wishes to be asked, before the step that ends a turn."""
    site, careful = club.site, club.people[LONG]
    await careful.post("/me/playing", data={"confirm": "on"})
    answer = await careful.post("/tables", data={"game": "hanging_gardens", "seats": "1", "do": "open"})
    key = answer.url.path.rpartition("/")[2]
    while "is-question" not in answer.text:
        held = await held_of(site, key)
        assert held.position is not None
        [(seat, since)] = held.position.waiting.items()
        action = notation.write(held.game.actions(held.position.state, seat)[-1])
        form = {"action": action, "seat": str(seat), "since": str(since)}
        answer = await careful.post(f"/tables/{key}/act", data=form)
    club.places |= {"alone": f"/tables/{key}", "last": form["action"], "since": form["since"]}


async def _order(club: Furnished) -> None:
    site, places = club.site, club.places
    olga = club.people["Olga"]
    numbers: dict[str, int] = {}
    async with site.server.engine.begin() as connection:
        for key, number in await connection.execute(text("SELECT key, id FROM tables")):
            numbers[f"/tables/{key}"] = number
        for number in range(3):
            await connection.execute(
                text(
                    "INSERT INTO faults (id, process, what, place) VALUES"
                    f" ('7f3a19c277d{number}', 'web-1', 'KeyError', 'app/web/tables.py:{number}')"
                )
            )
    for word in ("over", "paused", "parted", "room", "hanging_gardens"):
        places[f"admin {word}"] = f"/admin/tables/{numbers[places[word]]}"
    await olga.post(places["admin paused"], data={"do": "pause", "reason": "A report is looked into."})
    for word, seat in (("over", "0"), ("room", "")):
        await club.keep(
            f"as {word}", await olga.post(places[f"admin {word}"], data={"do": "see", "seat": seat, "reason": "why"})
        )
    await club.keep("inside", await olga.post(places["admin over"], data={"do": "inspect", "reason": "A report."}))
    for name in ("Alice", "Carol"):
        places[f"admin {name}"] = f"/admin/people/{await number_of(site, name)}"
    await olga.post(places["admin Carol"], data={"do": "mute", "hours": "24", "reason": "insults"})
    await olga.post("/admin/bans", data={"do": "ban", "addresses": f"{AWAY}/32", "reason": "insults · 侮辱"})
    box = find_edition("app.games.hanging_gardens", "house").text.replace("lion", "griffin")
    await club.keep(
        "undrawn",
        await olga.post(
            "/admin/settings/editions",
            data={"game": "hanging_gardens", "name": "griffins"},
            files={"file": ("griffins.toml", box.encode(), "application/toml")},
        ),
    )
    announced = {"announcement.en": "Tournament on Saturday.", "announcement.ja": "土曜に大会があります。"}
    offered = {"registration": "open", "guests": "1", "tables_per_person": "20", "offered": sorted(games())}
    times = {"waiting_hours": "48", "idle_days": "30"}
    await olga.post("/admin/settings", data={**announced, **offered, **times})

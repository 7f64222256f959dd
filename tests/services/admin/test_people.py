"""Order among people: muting, banning, links, merging, roles; and who has no power over whom."""

from datetime import timedelta

import pytest
from sqlalchemy import text

from app.services import accounts, clock, invitations, lobby, recovery, registration, sessions
from app.services.accounts import Browser, Me
from app.services.admin import audit, helping, order, people, settings
from app.services.errors import (
    BadAddress,
    BadLink,
    BadTime,
    Banned,
    HigherRole,
    LastOwner,
    Muted,
    NeedsAccount,
    NeedsInvitation,
    NeedsReason,
    NoGuests,
    NoSuchPerson,
    NotAllowed,
    NotGuest,
    RegistrationClosed,
)
from app.services.lobby import Wish
from app.services.server import Server
from tests.conftest import person
from tests.services.admin.acting import account, lines, official
from tests.services.test_tables import GAME

PASSWORD = "three odd words"


async def member(server: Server, name: str, address: str = "203.0.113.7") -> tuple[Me, str]:
    """Somebody who signed up."""
    return await sessions.sign_up(
        server,
        None,
        sessions.Wish(name, PASSWORD),
        language="en",
        browser=Browser(address=address),
        address="https://play.example",
    )


async def test_a_moderator_mutes_and_bans_nobody(server: Server, mo: Me, alice: Me) -> None:
    await order.mute(server, mo, alice.id, hours=24, reason="rude names")
    with pytest.raises(Muted):
        await accounts.rename(server, alice, name="Rude")
    table_id = await server.states.find_id(await lobby.open_table(server, alice, Wish(slug=GAME, seats=2)))
    with pytest.raises(Muted):
        await invitations.invite(server, alice, table_id, name="Mo")
    await order.unmute(server, mo, alice.id)
    await accounts.rename(server, alice, name="Alicia")
    for hours in (0, -1, 10**6):
        with pytest.raises(BadTime):
            await order.mute(server, mo, alice.id, hours=hours, reason="why")
    with pytest.raises(NeedsReason):
        await order.mute(server, mo, alice.id, hours=1, reason="")
    with pytest.raises(NotAllowed):
        await order.ban(server, mo, user_id=alice.id, hours=1, reason="why")
    with pytest.raises(NotAllowed):
        await helping.password_link(server, mo, alice.id)
    with pytest.raises(NotAllowed):
        await helping.merge(server, mo, alice.id, into="Mo")
    assert [line.act for line in await lines(server)] == ["mute", "unmute"]


async def test_a_ban_signs_out_and_holds_until_it_ends(
    server: Server, ada: Me, monkeypatch: pytest.MonkeyPatch
) -> None:
    eris, token = await member(server, "Eris")
    gone: set[int] = set()
    server.farewells.append(gone.update)
    await order.ban(server, ada, user_id=eris.id, hours=48, reason="insults")
    assert gone == {eris.login}
    assert await accounts.recognise(server, token) is None
    with pytest.raises(Banned) as banned:
        await sessions.sign_in(server, None, name="Eris", password=PASSWORD, browser=Browser())
    assert banned.value.facts["reason"] == "insults" and banned.value.facts["until"]
    link = await helping.password_link(server, ada, eris.id)
    with pytest.raises(Banned):
        await recovery.choose(server, None, token=link, password="another odd word", browser=Browser(), address="")
    (found,) = (await people.show(server, ada, eris.id)).bans
    await order.lift(server, ada, found.id)
    assert await sessions.sign_in(server, None, name="Eris", password=PASSWORD, browser=Browser())
    await order.ban(server, ada, user_id=eris.id, hours=1, reason="again")
    later = clock.now() + timedelta(hours=2)
    monkeypatch.setattr(clock, "now", lambda: later)
    assert await sessions.sign_in(server, None, name="Eris", password=PASSWORD, browser=Browser())
    assert [line.act for line in await lines(server)] == ["ban", "link", "lift", "ban"]


async def test_a_range_of_addresses_is_kept_out_but_nobody_with_a_role(server: Server, ada: Me) -> None:
    near, near_token = await member(server, "Near", "203.0.113.7")
    _, far_token = await member(server, "Far", "198.51.100.7")
    _, mapped_token = await member(server, "Mapped", "::ffff:203.0.113.9")
    _, odd_token = await member(server, "Odd", "unix socket")
    official_one = await official(server, "Keeper", "moderator")
    await order.ban(server, ada, user_id=None, addresses="203.0.113.77/24", hours=None, reason="a flood of guests")
    assert await accounts.recognise(server, near_token) is None
    assert await accounts.recognise(server, far_token) and await accounts.recognise(server, odd_token)
    assert await accounts.recognise(server, mapped_token)
    for address in ("203.0.113.1", "::ffff:203.0.113.200"):
        with pytest.raises(Banned):
            await accounts.welcome(server, name="Another", language="en", browser=Browser(address=address))
        club = await server.club.get()
        with pytest.raises(Banned):
            club.check_banned(None, address)
        club.check_banned(official_one.id, address, role="moderator")
    club.check_banned(near.id, "198.51.100.1")
    for nonsense in ("", "everybody", "0.0.0.0/0", "10.0.0.0/8", "2001:db8::/16", "1.2.3.4/99"):
        with pytest.raises(BadAddress):
            await order.ban(server, ada, user_id=None, addresses=nonsense, hours=1, reason="why")
    (line,) = await lines(server)
    assert (line.act, line.user_id, line.facts) == ("ban", None, {"addresses": "203.0.113.0/24"})
    (found,) = await people.list_bans(server, ada)
    assert found.addresses == "203.0.113.0/24" and found.until is None


async def test_nobody_has_power_over_their_own_rank(server: Server, olga: Me, ada: Me, mo: Me) -> None:
    other = await official(server, "Adam", "admin")
    for me, whom in ((ada, other), (ada, olga), (mo, ada), (ada, ada), (olga, olga)):
        for act in (
            order.mute(server, me, whom.id, hours=1, reason="why"),
            order.sign_out(server, me, whom.id),
        ):
            with pytest.raises(HigherRole):
                await act
    for act in (
        order.ban(server, ada, user_id=olga.id, hours=1, reason="a coup"),
        helping.give_role(server, ada, other.id, role=""),
    ):
        with pytest.raises(HigherRole):
            await act
    with pytest.raises(HigherRole):
        await helping.password_link(server, ada, olga.id)
    assert await lines(server) == []
    await order.mute(server, olga, ada.id, hours=1, reason="the owner may")
    await order.mute(server, ada, mo.id, hours=1, reason="below")


async def test_roles_are_given_from_above_and_somebody_always_owns_the_server(
    server: Server, olga: Me, ada: Me, alice: Me
) -> None:
    cleo = await account(server, "Cleo")
    await helping.give_role(server, ada, cleo.id, role="moderator")
    for role in ("admin", "owner", "emperor"):
        with pytest.raises(NotAllowed):
            await helping.give_role(server, ada, cleo.id, role=role)
    with pytest.raises(NeedsAccount):
        await helping.give_role(server, olga, alice.id, role="admin")
    with pytest.raises(LastOwner):
        await helping.give_role(server, olga, olga.id, role="")
    await helping.give_role(server, olga, cleo.id, role="owner")
    await helping.give_role(server, olga, olga.id, role="admin")
    with pytest.raises(NotAllowed):
        await helping.give_role(server, olga, ada.id, role="owner")
    assert [line.facts["role"] for line in await lines(server, act="role")] == ["moderator", "owner", "admin"]


async def test_a_password_link_lets_its_owner_choose_a_new_one(server: Server, ada: Me, alice: Me) -> None:
    eris, _ = await member(server, "Eris")
    first = await helping.password_link(server, ada, eris.id)
    second = await helping.password_link(server, ada, eris.id, reason="lost the first")
    with pytest.raises(BadLink):
        await recovery.look_at_link(server, first)
    assert await recovery.look_at_link(server, second) == "Eris"
    with pytest.raises(NeedsAccount):
        await helping.password_link(server, ada, alice.id)
    for line in await lines(server, act="link"):
        assert first not in str(line.facts) and line.user_id == eris.id


async def test_a_guest_becomes_part_of_an_account(server: Server, ada: Me, alice: Me) -> None:
    eris, _ = await member(server, "Eris")
    key = await lobby.open_table(server, alice, Wish(slug=GAME, seats=2))
    with pytest.raises(NoSuchPerson):
        await helping.merge(server, ada, alice.id, into="Nobody")
    assert await helping.merge(server, ada, alice.id, into="eris") == eris.id
    facts = (await server.states.newest(await server.states.find_id(key))).facts
    assert facts.seat_of(eris.id) == 0 and facts.host_id == eris.id
    with pytest.raises(NotGuest):
        await helping.merge(server, ada, eris.id, into="Ada")
    with pytest.raises(NoSuchPerson):
        await helping.merge(server, ada, alice.id, into="Eris")
    (line,) = await lines(server)
    assert (line.act, line.user_id, line.facts) == ("merge", eris.id, {"guest": alice.id, "name": "Alice"})


async def test_accounts_are_open_by_invitation_or_closed(server: Server, ada: Me, mo: Me, alice: Me) -> None:
    rules = settings.Wish(registration="invitation", guests=False, tables_per_person=3)
    await settings.change(server, ada, rules)
    with pytest.raises(NeedsInvitation):
        await member(server, "Eris")
    with pytest.raises(NoGuests):
        await person(server, "Passer-by")
    with pytest.raises(NoGuests):
        await lobby.open_table(server, alice, Wish(slug=GAME, seats=2))
    with pytest.raises(NotAllowed):
        await helping.invite(server, mo)
    token = await helping.invite(server, ada)
    assert await registration.look_at_invitation(server, token)
    wish = sessions.Wish("Eris", PASSWORD, invitation=token)
    browser = Browser()
    eris, _ = await sessions.sign_up(server, alice, wish, language="en", browser=browser, address="")
    assert eris.id == alice.id
    assert not await registration.look_at_invitation(server, token)
    with pytest.raises(NeedsInvitation):
        again = sessions.Wish("Other", PASSWORD, invitation=token)
        await sessions.sign_up(server, None, again, language="en", browser=browser, address="")
    await lobby.open_table(server, eris, Wish(slug=GAME, seats=2))
    await settings.change(server, ada, settings.Wish(registration="closed", guests=True, tables_per_person=3))
    with pytest.raises(RegistrationClosed):
        await member(server, "Late")


async def test_people_are_found_by_name_number_address_and_kind(server: Server, ada: Me, mo: Me, alice: Me) -> None:
    eris, _ = await member(server, "Érïs 🌸", "203.0.113.7")

    async def found(me: Me, text: str = "", kind: str = "") -> set[str]:
        return {each.name for each in await people.search(server, me, text=text, kind=kind)}

    assert await found(ada, "ÉRÏS") == {"Érïs 🌸"} == await found(ada, str(eris.id))
    assert await found(ada, "203.0.113") == {"Érïs 🌸"}
    assert await found(mo, "203.0.113") == set()
    assert await found(ada, kind="guests") == {"Alice"}
    assert await found(ada, kind="admins") == {"Ada", "Mo"}
    assert await found(ada, kind="restrained") == set()
    await order.mute(server, mo, alice.id, hours=1, reason="why")
    assert await found(ada, kind="restrained") == {"Alice"}
    assert await found(ada, "%") == set() == await found(ada, "\\")
    with pytest.raises(NotAllowed):
        await people.search(server, alice, text="Ada")
    assert (await people.show(server, mo, eris.id)).addresses == ()
    assert (await people.show(server, ada, eris.id)).addresses == ("203.0.113.7",)
    assert (await people.show(server, ada, ada.id)).powers == frozenset()
    with pytest.raises(NoSuchPerson):
        await people.show(server, ada, 999_999)


async def test_the_first_owner_is_made_by_a_command_and_on_record(server: Server) -> None:
    eris, _ = await member(server, "Eris")
    assert (await accounts.make_admin(server, name="Eris")).role == "owner"
    (line,) = await lines(server)
    assert (line.act, line.actor_id, line.user_id) == ("make_admin", None, eris.id)


async def test_the_record_is_read_by_actor_act_subject_and_day(server: Server, ada: Me, mo: Me, alice: Me) -> None:
    await order.mute(server, mo, alice.id, hours=1, reason="one")
    await order.mute(server, ada, alice.id, hours=2, reason="two")
    await helping.invite(server, ada)

    async def found(**wanted: object) -> list[str]:
        return [line.reason or line.act for line in (await audit.search(server, mo, audit.Wanted(**wanted))).lines]  # type: ignore[arg-type]

    assert await found() == ["invite", "two", "one"]
    assert await found(actor=mo.id) == ["one"] and await found(act="mute") == ["two", "one"]
    assert await found(about="ALICE") == ["two", "one"] and await found(about="17") == []
    midnight = clock.now().replace(hour=0, minute=0, second=0, microsecond=0)
    assert len(await found(day=midnight)) == 3 and await found(day=midnight - timedelta(days=1)) == []
    page = await audit.search(server, mo, audit.Wanted(), most=2)
    assert page.earlier and await found(before=page.earlier) == ["one"]
    assert {name for _, name in page.actors} == {"Ada", "Mo"}
    with pytest.raises(NotAllowed):
        await audit.search(server, alice, audit.Wanted())


async def test_a_role_that_was_taken_away_is_gone_at_once(server: Server, ada: Me, alice: Me) -> None:
    async with server.engine.begin() as connection:
        await connection.execute(text("UPDATE users SET role = '' WHERE id = :id"), {"id": ada.id})
    with pytest.raises(NotAllowed):
        await order.mute(server, ada, alice.id, hours=1, reason="not any more")
    assert await lines(server) == []

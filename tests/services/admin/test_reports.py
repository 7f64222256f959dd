"""Reported remarks: moderators see them with what was said around, and act; each act is a line in the record."""

import pytest
from sqlalchemy import text

from app.services import deletion, endings, mutes, talk
from app.services.accounts import Me
from app.services.admin import helping, reports
from app.services.errors import (
    BadAction,
    BadTime,
    HigherRole,
    Muted,
    NeedsReason,
    NoSuchRemark,
    NotAllowed,
    NotImpartial,
)
from app.services.server import Server
from tests.conftest import person
from tests.services.admin.acting import lines, official, opened
from tests.services.test_talk import facts_of, heard, remark


async def reported(server: Server, alice: Me, bob: Me, words: str = "you fool") -> tuple[int, int]:
    """A table at which Bob said that and Alice reported it: the numbers of table and remark."""
    table_id = await opened(server, alice, bob)
    await talk.say(server, alice, table_id, words="hm")
    await talk.say(server, bob, table_id, words=words)
    number = await remark(server, table_id, words)
    for _ in range(2):
        await mutes.report(server, alice, table_id, remark_id=number)
    return table_id, number


async def test_a_report_shows_what_was_said_around_it_in_the_same_room(
    server: Server, alice: Me, bob: Me, eve: Me, mo: Me
) -> None:
    table_id, number = await reported(server, alice, bob)
    await talk.say(server, eve, table_id, words="among those who watch")
    await talk.say(server, alice, table_id, words="now now")
    found = await reports.list_open(server, mo)
    assert [(each.remark_id, each.count, each.partial) for each in found] == [(number, 1, False)]
    assert [each.words for each in found[0].around] == ["hm", "you fool", "now now"]
    assert await reports.count_open(server) == 1


async def test_words_are_taken_away_and_stand_nowhere_any_more(server: Server, alice: Me, bob: Me, mo: Me) -> None:
    table_id, number = await reported(server, alice, bob)
    await reports.settle(server, mo, number, deed="remove", reason="rude")
    said = (await facts_of(server, table_id)).remarks[-1]
    assert (said.removed, said.words) == (True, "")
    assert await reports.list_open(server, mo) == ()
    line = (await lines(server))[-1]
    assert (line.act, line.actor_id, line.table_id, line.user_id, line.reason) == (
        "remove", mo.id, table_id, bob.id, "rude",
    )  # fmt: skip
    assert "you fool" not in str(line.facts)
    await talk.say(server, bob, table_id, words="sorry")


async def test_muting_by_a_report_silences_everywhere_and_both_is_one_transaction(
    server: Server, alice: Me, bob: Me, mo: Me
) -> None:
    table_id, number = await reported(server, alice, bob)
    with pytest.raises(BadTime):
        await reports.settle(server, mo, number, deed="both", hours=0, reason="rude")
    assert "you fool" in await heard(server, table_id, alice), "nothing was done by half"
    assert await lines(server) == []
    await reports.settle(server, mo, number, deed="both", hours=24, reason="rude")
    assert [line.act for line in await lines(server)] == ["remove", "mute"]
    elsewhere = await opened(server, bob, alice)
    with pytest.raises(Muted):
        await talk.say(server, bob, elsewhere, words="hello")


async def test_a_report_may_be_dismissed_and_comes_back_when_somebody_else_reports(
    server: Server, alice: Me, bob: Me, eve: Me, mo: Me
) -> None:
    table_id, number = await reported(server, alice, bob)
    await reports.settle(server, mo, number, deed="dismiss")
    assert await reports.count_open(server) == 0
    assert (await lines(server))[-1].act == "dismiss"
    assert (await lines(server))[-1].table_id is None, "that somebody complained is not told at the table"
    await mutes.report(server, alice, table_id, remark_id=number)
    assert await reports.count_open(server) == 0
    await mutes.report(server, eve, table_id, remark_id=number)
    assert await reports.count_open(server) == 1


async def test_who_plays_at_the_table_sees_and_settles_nothing_of_it(
    server: Server, alice: Me, mo: Me, eve: Me
) -> None:
    """A moderator who sits there would read the room of those who watch."""
    table_id = await opened(server, alice, mo)
    await talk.say(server, eve, table_id, words="mo holds the lion")
    number = await remark(server, table_id, "mo holds the lion")
    other = await official(server, "Mia", "moderator")
    await mutes.report(server, other, table_id, remark_id=number)
    found = await reports.list_open(server, mo)
    assert [(each.partial, each.around, each.speaker_id) for each in found] == [(True, (), 0)]
    with pytest.raises(NotImpartial):
        await reports.settle(server, mo, number, deed="dismiss")
    assert [each.words for each in (await reports.list_open(server, other))[0].around] == ["mo holds the lion"]


async def test_only_who_may_and_only_with_a_reason(server: Server, alice: Me, bob: Me, mo: Me, ada: Me) -> None:
    _, number = await reported(server, alice, bob)
    with pytest.raises(NotAllowed):
        await reports.list_open(server, alice)
    with pytest.raises(NotAllowed):
        await reports.settle(server, alice, number, deed="dismiss")
    for deed in ("remove", "mute", "both"):
        with pytest.raises(NeedsReason):
            await reports.settle(server, mo, number, deed=deed, hours=1, reason=" ")
    with pytest.raises(BadAction):
        await reports.settle(server, mo, number, deed="shout", reason="x")
    with pytest.raises(NoSuchRemark):
        await reports.settle(server, mo, 10**9, deed="dismiss")
    table_id = await opened(server, alice, ada)
    await talk.say(server, ada, table_id, words="admins err too")
    number = await remark(server, table_id, "admins err too")
    await mutes.report(server, alice, table_id, remark_id=number)
    for deed in reports.DEEDS:
        with pytest.raises(HigherRole):
            await reports.settle(server, mo, number, deed=deed, hours=1, reason="rude")
    assert "admins err too" in await heard(server, table_id, alice)


async def test_nobody_settles_what_is_about_themselves_or_what_nobody_reported(
    server: Server, alice: Me, bob: Me, mo: Me
) -> None:
    table_id, number = await reported(server, alice, bob)
    await talk.say(server, mo, table_id, words="I am the law")
    mine = await remark(server, table_id, "I am the law")
    await mutes.report(server, await person(server, "Eve"), table_id, remark_id=mine)
    for deed in reports.DEEDS:
        with pytest.raises(HigherRole):
            await reports.settle(server, mo, mine, deed=deed, hours=1, reason="rude")
    unreported = await remark(server, table_id, "hm")
    for deed in reports.DEEDS:
        with pytest.raises(NoSuchRemark):
            await reports.settle(server, mo, unreported, deed=deed, hours=1, reason="rude")
    await reports.settle(server, mo, number, deed="dismiss")
    with pytest.raises(NoSuchRemark):
        await reports.settle(server, mo, number, deed="remove", reason="rude")
    assert await reports.count_open(server) == 1


async def test_the_only_owner_settles_reports_about_themselves_openly(server: Server, alice: Me, mo: Me) -> None:
    olga = await official(server, "Olga", "owner")
    table_id = await opened(server, alice, olga)
    numbers = []
    for words in ("I own you", "and this"):
        await talk.say(server, olga, table_id, words=words)
        numbers.append(await remark(server, table_id, words))
        await mutes.report(server, alice, table_id, remark_id=numbers[-1])
    with pytest.raises(NotImpartial):
        await reports.settle(server, olga, numbers[0], deed="dismiss", reason="it was meant well")
    await endings.concede(server, alice, table_id)
    assert [each.own for each in await reports.list_open(server, olga)] == [True, True]
    assert [each.own for each in await reports.list_open(server, mo)] == [False, False]
    for deed in ("mute", "both"):
        with pytest.raises(HigherRole):
            await reports.settle(server, olga, numbers[0], deed=deed, hours=1, reason="I was rude")
    with pytest.raises(NeedsReason):
        await reports.settle(server, olga, numbers[0], deed="dismiss")
    second = await official(server, "Otto", "owner")
    with pytest.raises(HigherRole):
        await reports.settle(server, olga, numbers[0], deed="dismiss", reason="it was meant well")
    await helping.give_role(server, olga, second.id, role="")
    await reports.settle(server, olga, numbers[0], deed="remove", reason="I was rude")
    await reports.settle(server, olga, numbers[1], deed="dismiss", reason="it was meant well")
    assert await reports.count_open(server) == 0
    assert "I own you" not in await heard(server, table_id, alice)
    assert [(line.act, line.actor_id, line.user_id, line.facts["own"]) for line in (await lines(server))[-2:]] == [
        ("remove", olga.id, olga.id, True), ("dismiss", olga.id, olga.id, True),
    ]  # fmt: skip


async def test_reports_go_with_who_said_it(server: Server, alice: Me, bob: Me, mo: Me) -> None:
    await reported(server, alice, bob)
    await deletion.delete_me(server, bob, password="")
    assert await reports.list_open(server, mo) == ()
    async with server.engine.connect() as connection:
        assert (await connection.execute(text("SELECT count(*) FROM reports"))).scalar_one() == 0

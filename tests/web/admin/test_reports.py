"""What the only owner said and somebody reported: settled by themselves, for everybody to read who keeps order."""

from tests.conftest import Site
from tests.web.admin.people import member
from tests.web.test_tables import opened
from tests.web.test_talk import number_of, say


async def test_the_only_owner_settles_what_they_said_and_the_record_says_so(site: Site) -> None:
    eve, mo = await site.guest("Eve"), await member(site, "Mo", "moderator")
    olga = await member(site, "Olga", "owner", "ja")
    key = await opened(site, await site.guest("Alice"), await site.guest("Bob"))
    assert (await say(olga, key, "you fools")).status_code == 200
    number = await number_of(site, key, "you fools")
    await eve.post(f"/tables/{key}/talk/about", data={"report": number})
    page = (await olga.get("/admin/reports")).text
    assert "あなた自身の発言" in page
    assert ('value="mute"' in page, 'name="hours"' in page) == (False, False)
    assert 'value="mute"' in (await mo.get("/admin/reports")).text
    assert (await mo.post(f"/admin/reports/{number}", data={"do": "dismiss"})).status_code == 403
    assert (await olga.post(f"/admin/reports/{number}", data={"do": "remove", "reason": ""})).status_code == 422
    done = await olga.post(f"/admin/reports/{number}", data={"do": "remove", "reason": "I was rude"})
    assert done.status_code == 200 and "you fools" not in done.text
    record = (await mo.get("/admin/audit")).text
    assert "took away what somebody had said: a remark of their own" in record and "I was rude" in record

"""What is mine to choose, by form; my data to take along; going; and the letters that nobody brings."""

import re
from pathlib import Path

import httpx
import msgspec
import pytest
from sqlalchemy import text

from app.config import Settings
from app.engine import notation
from app.services import accounts, emails
from app.services.roads import FOLDER
from tests.conftest import PASSWORD, Site, site_on
from tests.services.test_letters import outbox_of

NEW = "four other odd words"


@pytest.fixture
async def alice(site: Site) -> httpx.AsyncClient:
    """A browser in which Alice, who has an account, is signed in."""
    client = site.client(headers={"Origin": site.url, "Accept-Language": "en"})
    form = {"name": "Alice", "password": PASSWORD, "email": "alice@example.org"}
    assert (await client.post("/sign-up", data=form)).status_code == 200
    return client


def letters_of(site: Site) -> str:
    """Every letter that lies in the folder."""
    files = sorted((site.config.var / FOLDER).glob("*.eml"))
    return "".join(file.read_text().replace("=\n", "").replace("=3D", "=") for file in files)


async def test_language_theme_sound_and_time_zone_are_kept_with_the_person(
    site: Site, alice: httpx.AsyncClient
) -> None:
    form = {"language": "ja", "theme": "dark", "sound": "on", "time_zone": "Asia/Tokyo"}
    answer = await alice.post("/me/preferences", data=form)
    assert "保存しました" in answer.text
    elsewhere = site.client(headers={"Origin": site.url, "Accept-Language": "en"})
    await elsewhere.post("/sign-in", data={"name": "Alice", "password": PASSWORD})
    page = (await elsewhere.get("/me/preferences")).text
    assert '<html lang="ja" data-theme="dark">' in page
    assert 'data-sound="on"' in page
    assert '<option value="Asia/Tokyo" selected>' in page
    assert (await elsewhere.post("/me/sound", data={"sound": ""})).status_code == 204
    page = (await alice.get("/me/preferences")).text
    assert 'data-sound="off"' in page
    assert 'data-theme="dark"' in page


async def test_the_time_zone_that_a_browser_is_in_is_taken_at_first(site: Site) -> None:
    client = site.client(headers={"Origin": site.url})
    await client.post("/name", data={"name": "Mika", "next": "/about", "time_zone": "Asia/Tokyo"})
    assert '<option value="Asia/Tokyo" selected>' in (await client.get("/me/preferences")).text
    nonsense = site.client(headers={"Origin": site.url})
    await nonsense.post("/name", data={"name": "Nabu", "next": "/about", "time_zone": "../../etc\x00"})
    assert (await nonsense.get("/me/preferences")).status_code == 200


async def test_a_choice_that_is_not_offered_is_refused_in_words(alice: httpx.AsyncClient) -> None:
    for form in (
        {"language": "xx"},
        {"language": "en", "theme": "pink"},
        {"language": "en", "time_zone": "Mars"},
        {},
    ):
        answer = await alice.post("/me/preferences", data=form)
        assert answer.status_code == 422
        assert "not offered" in answer.text


async def test_what_else_was_chosen_stands_when_one_choice_is_refused(alice: httpx.AsyncClient) -> None:
    form = {"language": "ja", "theme": "dark", "sound": "on", "time_zone": "Asia/Tokyo"}
    answer = await alice.post("/me/preferences", data={**form, "quiet_from": "8", "quiet_to": "22"})
    assert answer.status_code == 422
    for word, value in (("language", "ja"), ("theme", "dark"), ("sound", "on")):
        field = next(
            each for each in re.findall(r"<input[^>]*>", answer.text) if f'name="{word}" value="{value}"' in each
        )
        assert "checked" in field, word
    assert '<option value="Asia/Tokyo" selected>' in answer.text
    for chosen in ("8", "22"):
        assert f'<option value="{chosen}" selected>' in answer.text
    assert 'data-theme="dark"' not in (await alice.get("/me/preferences")).text, "nothing was kept"


async def test_a_name_is_changed_or_refused_at_its_field(site: Site, alice: httpx.AsyncClient) -> None:
    await accounts.welcome(site.server, name="Guest", language="en")
    answer = await alice.post("/me/name", data={"name": "x" * 30})
    assert answer.status_code == 422
    assert f'value="{"x" * 30}"' in answer.text
    assert "at most 24" in answer.text.split('id="name-error"')[1]
    answer = await alice.post("/me/name", data={"name": "Aliyah"})
    assert "Saved." in answer.text
    assert "Aliyah" in (await alice.get("/")).text
    assert (await alice.get("/@aliyah")).status_code == 200
    assert (await alice.get("/@alice")).status_code == 404


async def test_an_address_is_confirmed_by_the_letter(site: Site, alice: httpx.AsyncClient) -> None:
    assert "not confirmed yet" in (await alice.get("/me/preferences")).text
    await outbox_of(site.server).send_due()
    [link] = re.findall(rf"{site.url}(/confirm\?token=\S+)", letters_of(site))
    stranger = site.client(headers={"Origin": site.url})
    page = await stranger.get(link)
    assert "alice@example.org" in page.text
    token = link.partition("=")[2]
    answer = await stranger.post("/confirm", data={"token": token})
    assert "Thank you" in answer.text
    assert "signed out" not in answer.text
    assert (await stranger.post("/confirm", data={"token": token})).status_code == 410
    assert ">confirmed<" in (await alice.get("/me/preferences")).text


async def test_a_lost_password_is_chosen_anew_by_the_letter(site: Site, alice: httpx.AsyncClient) -> None:
    async with site.server.engine.begin() as connection:
        await connection.execute(text("UPDATE users SET email_confirmed_at = now()"))
    stranger = site.client(headers={"Origin": site.url, "Accept-Language": "en"})
    answers = [await stranger.post("/forgotten", data={"who": who}) for who in ("Alice", "Nobody")]
    assert answers[0].text.replace("Alice", "Nobody") == answers[1].text
    assert (await stranger.post("/forgotten", data={"who": " "})).status_code == 422
    await outbox_of(site.server).send_due()
    [link] = re.findall(rf"{site.url}(/password\?token=\S+)", letters_of(site))
    token = link.partition("=")[2]
    assert "A new password for" in (await stranger.get(link)).text
    answer = await stranger.post("/password", data={"token": token, "password": "short"})
    assert answer.status_code == 422
    assert "at least 10" in answer.text
    assert f'value="{token}"' in answer.text
    assert f'href="/password?token={token}&amp;lang=ja"' in answer.text
    answer = await stranger.post("/password", data={"token": token, "password": NEW})
    assert answer.url.path == "/me/preferences"
    assert (await alice.get("/me/preferences")).url.path == "/sign-in", "every other browser was signed out"
    for used in (await stranger.get(link), await stranger.post("/password", data={"token": token, "password": NEW})):
        assert used.status_code == 410
        assert "leads nowhere" in used.text


async def test_an_address_and_a_password_need_the_old_password(site: Site, alice: httpx.AsyncClient) -> None:
    answer = await alice.post("/me/email", data={"email": "new@example.org", "password": "guess"})
    assert answer.status_code == 422
    assert 'value="new@example.org"' in answer.text
    assert "do not fit" in answer.text.split('id="email-password-error"')[1]
    answer = await alice.post("/me/email", data={"email": "nonsense", "password": PASSWORD})
    assert "no e-mail address" in answer.text.split('id="email-error"')[1]
    answer = await alice.post("/me/password", data={"password": "guess", "new_password": NEW})
    assert "do not fit" in answer.text.split('id="password-error"')[1]
    answer = await alice.post("/me/password", data={"password": PASSWORD, "new_password": "short"})
    assert "at least 10" in answer.text.split('id="new-password-error"')[1]
    answer = await alice.post("/me/password", data={"password": PASSWORD, "new_password": NEW})
    assert "Saved." in answer.text
    answer = await alice.post("/me/email", data={"email": "new@example.org", "password": NEW})
    assert 'value="new@example.org"' in answer.text
    for _ in range(5):
        await alice.post("/me/password", data={"password": "guess", "new_password": PASSWORD})
    answer = await alice.post("/me/password", data={"password": NEW, "new_password": PASSWORD})
    assert "ten minutes" in answer.text


async def test_the_letter_is_sent_again_when_asked_but_not_for_ever(site: Site, alice: httpx.AsyncClient) -> None:
    for _ in range(emails.MOST_AN_HOUR + 1):
        await outbox_of(site.server).send_due()
        answer = await alice.post("/me/email/again")
    assert answer.status_code == 429
    assert "Several letters" in answer.text


async def test_browsers_are_listed_and_signed_out(site: Site, alice: httpx.AsyncClient) -> None:
    phone = site.client(headers={"Origin": site.url, "User-Agent": "Mozilla/5.0 (iPhone) AppleWebKit Safari/604"})
    await phone.post("/sign-in", data={"name": "Alice", "password": PASSWORD})
    page = (await alice.get("/me/preferences")).text
    assert "Safari · iPhone" in page
    [number] = re.findall(r'name="which" value="(\d+)"', page)
    for nonsense in ("", "x", "-1", "9" * 17, "9" * 400, "٣"):
        assert (await alice.post("/me/sessions", data={"which": nonsense})).status_code == 200
    assert (await phone.get("/me/preferences")).url.path == "/me/preferences"
    assert "Safari" not in (await alice.post("/me/sessions", data={"which": number})).text
    assert (await phone.get("/me/preferences")).url.path == "/sign-in"


async def test_my_data_is_a_file(alice: httpx.AsyncClient) -> None:
    answer = await alice.get("/me/export")
    assert "attachment" in answer.headers["content-disposition"]
    assert answer.headers["cache-control"] == "no-store"
    assert msgspec.json.decode(answer.content)["person"]["email"] == "alice@example.org"


async def test_an_account_is_deleted_by_its_password_only(site: Site, alice: httpx.AsyncClient) -> None:
    await alice.post("/tables", data={"game": "hanging_gardens", "seats": "2", "do": "open"})
    assert "At one table" in (await alice.get("/me/delete")).text
    answer = await alice.post("/me/delete", data={"password": "guess"})
    assert answer.status_code == 422
    assert "do not fit" in answer.text
    answer = await alice.post("/me/delete", data={"password": PASSWORD})
    assert "Farewell" in answer.text
    assert "Alice" not in answer.text
    assert "semiramis" not in alice.cookies
    assert "signed out" not in (await alice.get("/")).text


async def test_a_guest_has_the_page_too(site: Site) -> None:
    guest = await site.guest("Mika")
    page = (await guest.get("/me/preferences")).text
    assert 'action="/sign-up"' in page
    assert 'action="/me/password"' not in page
    for path in ("/me/email", "/me/password"):
        assert (await guest.post(path, data={"password": PASSWORD, "new_password": NEW})).status_code == 403
    assert "Farewell" in (await guest.post("/me/delete")).text


async def test_the_letters_in_the_folder_are_for_an_admin_at_this_machine_only(
    site: Site, alice: httpx.AsyncClient, config: Settings, tmp_path: Path
) -> None:
    await outbox_of(site.server).send_due()
    assert (await alice.get("/letters")).status_code == 404
    await accounts.make_admin(site.server, name="Alice")
    page = (await alice.get("/letters")).text
    assert "Is this your address?" in page
    assert f'<a href="{site.url}/confirm?token=' in page
    assert tmp_path == config.var
    cookies = {"semiramis": alice.cookies["semiramis"]}
    far = {"X-Forwarded-For": "192.0.2.1"}
    async with site_on(config, forwarded_allow_ips="*", proxy_headers=True) as behind_a_proxy:
        stranger = behind_a_proxy.client(cookies=cookies, headers=far)
        assert (await stranger.get("/letters")).status_code == 404
    mail = {"smtp_host": "127.0.0.1", "address": "https://club.example"}
    async with site_on(Settings(**{**config.model_dump(), **mail})) as with_mail:
        assert (await with_mail.client(cookies=cookies).get("/letters")).status_code == 404


async def test_how_one_likes_to_play_is_kept_with_the_person_and_shown_everywhere(
    site: Site, alice: httpx.AsyncClient
) -> None:
    form = {"confirm": "on", "auto_pass": "on", "speed": "off", "palette": "safe", "colour": "4", "babylon.side": "2"}
    answer = await alice.post("/me/playing", data=form)
    assert "Saved." in answer.text
    elsewhere = site.client(headers={"Origin": site.url})
    await elsewhere.post("/sign-in", data={"name": "Alice", "password": PASSWORD})
    page = (await elsewhere.get("/me/preferences")).text
    assert 'data-speed="off" data-palette="safe" data-colour="4"' in page
    assert 'name="confirm" value="on" checked' in page
    assert 'name="auto_pass" value="on" checked' in page
    assert '<option value="2" selected>from the north-west</option>' in page
    kept = (await alice.get("/me/export")).json()["person"]["preferences"]
    assert kept["views"] == {"babylon": {"side": "2"}}
    assert (kept["confirm"], kept["auto_pass"], kept["colour"]) == (True, True, 4)
    await alice.post("/me/playing", data={})
    page = (await alice.get("/me/preferences")).text
    assert "data-palette" not in page
    assert 'name="confirm" value="on" checked' not in page


@pytest.mark.parametrize(
    "form",
    [
        {"speed": "warp"},
        {"palette": "pink"},
        {"colour": "6"},
        {"colour": "-1"},
        {"colour": "²"},
        {"babylon.side": "9"},
        {"hanging_gardens.others": "\x00"},
    ],
)
async def test_no_other_way_to_play_can_be_chosen(alice: httpx.AsyncClient, form: dict[str, str]) -> None:
    answer = await alice.post("/me/playing", data=form)
    assert answer.status_code == 422
    assert "not offered" in answer.text


async def test_whatever_was_stored_once_harms_no_page(site: Site, alice: httpx.AsyncClient) -> None:
    for odd in (
        '{"views": {"chess": {"x": "y"}, "babylon": {"side": "9"}}}',
        '{"speed": 3, "colour": "4", "palette": ["safe"], "confirm": "yes", "views": []}',
        '{"views": {"babylon": 3}, "colour": true}',
    ):
        async with site.server.engine.begin() as connection:
            await connection.execute(text("UPDATE users SET preferences = CAST(:odd AS jsonb)"), {"odd": odd})
        assert (await alice.get("/me/preferences")).status_code == 200
        answer = await alice.post("/tables", data={"game": "babylon", "seats": "2", "do": "bots"})
        assert answer.status_code == 200
        assert "scene side-0" in answer.text


async def test_a_preferred_side_gives_way_to_what_the_page_asks_for(site: Site, alice: httpx.AsyncClient) -> None:
    await alice.post("/me/playing", data={"babylon.side": "2"})
    answer = await alice.post("/tables", data={"game": "babylon", "seats": "2", "do": "bots"})
    assert "scene side-2" in answer.text
    path = answer.url.path
    for side in range(4):
        assert f"scene side-{side}" in (await alice.get(f"{path}?side={side}")).text
    assert "scene side-2" in (await alice.get(f"{path}?side=nonsense")).text
    assert "side=0&amp;garden=1" in (await alice.get(f"{path}?side=0")).text


async def test_the_last_step_is_asked_by_form_and_done_on_the_second(site: Site, alice: httpx.AsyncClient) -> None:
    await alice.post("/me/playing", data={"confirm": "on"})
    answer = await alice.post("/tables", data={"game": "hanging_gardens", "seats": "1", "do": "open"})
    key = answer.url.path.rsplit("/", 1)[1]
    if "zone-status" not in answer.text:
        await alice.post(f"/tables/{key}/start")
    for _ in range(40):
        held = await site.server.states.newest(await site.server.states.find_id(key))
        version = held.version
        assert held.position is not None
        [(seat, since)] = held.position.waiting.items()
        actions = held.game.actions(held.position.state, seat)
        form = {"action": notation.write(actions[-1]), "seat": str(seat), "since": str(since)}
        answer = await alice.post(f"/tables/{key}/act", data=form)
        assert answer.status_code == 200, answer.text
        if "is-question" in answer.text:
            break
    now = await site.server.states.newest(held.facts.id)
    assert now.version == version
    assert f'value="sure:{form["action"]}"' in answer.text
    partly = await alice.post(f"/tables/{key}/act", data=form, headers={"HX-Request": "true"})
    assert 'hx-target="#zone-refusal"' in partly.text
    answer = await alice.post(f"/tables/{key}/act", data={**form, "action": f"sure:{form['action']}"})
    assert (await site.server.states.newest(held.facts.id)).version > version

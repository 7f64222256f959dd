"""How the house is run: who may come, limits, what is offered, what is announced; invitations."""

from fastapi import APIRouter, Request
from starlette.datastructures import FormData
from starlette.responses import Response

from app import games
from app.i18n import LANGUAGES
from app.services.admin import editions, helping, settings
from app.services.admin.settings import Wish
from app.services.club import REGISTRATION
from app.services.errors import BadEdition, BadSetting, EditionTaken
from app.web.admin.gate import NOTHING, Keeper, Keeping, Said, number_in, plain, refused
from app.web.cards import GameCard
from app.web.lobby import game_card

router = APIRouter(prefix="/admin/settings")
NUMBERS = ("tables_per_person", "waiting_hours", "idle_days")


def cards(keeper: Keeper) -> tuple[GameCard, ...]:
    """All games, offered or not."""
    assert keeper.visit.club is not None
    return tuple(game_card(slug, keeper.visit.club) for slug in games.games())


@router.get("")
async def show(keeper: Keeping, done: str = "") -> Response:
    """The page."""
    return await shown(keeper, said=Said(done=done[:20]))


async def shown(
    keeper: Keeper,
    *,
    status: int = 200,
    said: Said = NOTHING,
    wish: Wish | None = None,
    words: dict[str, str] | None = None,
    link: str = "",
    upload: tuple[str, str] = ("", ""),
) -> Response:
    """The page as it stands, or as somebody filled it in; ``link``: an invitation, shown this once."""
    keeper.need("settings")
    keeper.visit.server.club.forget()
    keeper.visit.club = club = await keeper.visit.server.club.get()
    now = wish or Wish(
        registration=club.registration,
        guests=club.guests,
        guests_talk=club.guests_talk,
        talk=club.talk,
        tables_per_person=club.tables_per_person,
        waiting_hours=round(club.waiting_hours),
        idle_days=round(club.idle_days),
        not_offered=tuple(club.not_offered),
        defaults=club.defaults,
        edition={slug: club.editions_of(slug)[0] for slug in games.games()},
    )
    return await keeper.page(
        "settings",
        "settings",
        status,
        said=said,
        wish=now,
        words=dict(club.announcements) if words is None else words,
        registration=REGISTRATION,
        games=cards(keeper),
        editions=await editions.list_all(keeper.visit.server, keeper.me),
        link=link,
        upload=upload,
    )


@router.post("")
async def change(keeper: Keeping, request: Request) -> Response:
    """Runs the house like that from now on."""
    keeper.check_speed()
    keeper.need("settings")
    form = await request.form()
    wish = wished(form)
    words = {language: plain(str(form.get(f"announcement.{language}", "")), 2000) for language in LANGUAGES}
    try:
        settings.check(wish)
        await settings.announce(keeper.visit.server, keeper.me, words)
        await settings.change(keeper.visit.server, keeper.me, wish, reason=str(form.get("reason", "")))
    except BadSetting as fault:
        status, said = refused(fault, **{name: str(form.get(name, "")) for name in NUMBERS})
        return await shown(keeper, status=status, said=said, wish=wish, words=words)
    return keeper.visit.go("/admin/settings?done=setting")


def wished(form: FormData) -> Wish:
    """The form as it was sent; what cannot be read becomes something that is refused."""
    offered = {str(each) for each in form.getlist("offered")}
    defaults: dict[str, dict[str, str]] = {}
    for key, value in form.items():
        kind, _, rest = str(key).partition(".")
        slug, _, name = rest.partition(".")
        if kind == "default" and slug in games.games() and name and str(value):
            defaults.setdefault(slug, {})[name[:60]] = str(value)[:60]
    return Wish(
        registration=str(form.get("registration", ""))[:20],
        guests=form.get("guests") is not None,
        guests_talk=form.get("guests_talk") is not None,
        talk=str(form.get("talk", ""))[:20],
        tables_per_person=number_in(str(form.get("tables_per_person", ""))) or 0,
        waiting_hours=number_in(str(form.get("waiting_hours", ""))) or 0,
        idle_days=number_in(str(form.get("idle_days", ""))) or 0,
        not_offered=tuple(slug for slug in games.games() if slug not in offered),
        defaults=defaults,
        edition={slug: str(form[f"edition.{slug}"])[:60] for slug in games.games() if form.get(f"edition.{slug}")},
    )


@router.post("/invitation")
async def invite(keeper: Keeping) -> Response:
    """A link with which one person may make an account."""
    keeper.check_speed()
    token = await helping.invite(keeper.visit.server, keeper.me)
    link = f"{keeper.visit.site}/sign-in?invitation={token}"
    return await shown(keeper, said=Said(done="invite"), link=link)


@router.post("/editions")
async def upload(keeper: Keeping, request: Request) -> Response:
    """Checks a file, and keeps it as an edition when it holds."""
    keeper.check_speed()
    keeper.need("editions")
    async with request.form() as form:
        slug, name = plain(str(form.get("game", ""))), plain(str(form.get("name", ""))).strip()
        sent = form.get("file")
        file = "" if sent is None or isinstance(sent, str) else str(sent.filename or "")
        contents = b"" if sent is None or isinstance(sent, str) else await sent.read()
    try:
        if not contents:
            raise BadEdition(file=file or "—", line=0, key="(file)", flaw="empty")
        await editions.upload(keeper.visit.server, keeper.me, slug=slug, name=name, file=file, contents=contents)
    except (BadEdition, EditionTaken) as fault:
        status, said = refused(fault)
        return await shown(keeper, status=status, said=said, upload=(slug, name[:60]))
    return keeper.visit.go(f"/admin/editions/{slug}/{name}?done=edition")


@router.post("/editions/offer")
async def offer(keeper: Keeping, request: Request) -> Response:
    """Offers an edition for new tables, or no longer."""
    keeper.check_speed()
    form = await request.form()
    slug, _, name = plain(str(form.get("edition", ""))).partition("/")
    offered = form.get("do") == "offer"
    try:
        await editions.set_offered(keeper.visit.server, keeper.me, slug=slug, name=name, offered=offered)
    except BadEdition as fault:
        status, said = refused(fault)
        return await shown(keeper, status=status, said=said)
    return keeper.visit.go(f"/admin/settings?done={'offer' if offered else 'withhold'}#editions")

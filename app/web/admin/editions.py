"""An edition as pictures: everything in the box, and a board played with it."""

import logging
from typing import Any

from fastapi import APIRouter, HTTPException
from jinja2 import TemplateError
from starlette.responses import PlainTextResponse, Response

from app import games
from app.engine.contract import AnyGame, Edition
from app.engine.look import Asked, Look, Sitter
from app.engine.playout import playout
from app.services.admin import editions
from app.services.errors import BadEdition
from app.web.admin.gate import Keeper, Keeping, Said
from app.web.drawing import draw, draw_zones
from app.web.views import asked_in

router = APIRouter(prefix="/admin/editions")
MOST_MOVES = 400
UNDRAWN = (TemplateError, LookupError, TypeError, ValueError, AttributeError)
"""What comes of ids that no drawing of ours knows."""
logger = logging.getLogger(__name__)


async def known(keeper: Keeper, slug: str, name: str) -> tuple[Edition, AnyGame]:
    """An edition, and the game with it."""
    try:
        edition = await editions.read(keeper.visit.server, keeper.me, slug=slug, name=name)
    except BadEdition as fault:
        raise HTTPException(404) from fault
    return edition, games.games()[slug](edition)


@router.get("/{slug}/{name}")
async def show(keeper: Keeping, slug: str, name: str, done: str = "") -> Response:
    """Everything in the box, as the rules page of the game draws it."""
    edition, game = await known(keeper, slug, name)
    chapter = f"games/{slug}/rules.html"
    try:
        faces = games.part(slug, "board").box(game)
        drawn = draw(keeper.visit.language, chapter, box=game.box, faces=faces, slug=slug, edition=edition)
    except UNDRAWN as fault:
        return await undrawn(keeper, slug, edition, fault)
    return await keeper.page(
        "edition", "settings", said=Said(done=done[:20]), slug=slug, edition=edition, drawn=drawn
    )


@router.get("/{slug}/{name}/board")
async def show_board(keeper: Keeping, slug: str, name: str, seats: int = 0, moves: int = 60) -> Response:
    """A board with it, after so many moves of a game that bots played by chance."""
    edition, game = await known(keeper, slug, name)
    count = seats if seats in game.seats else game.seats[min(1, len(game.seats) - 1)]
    wanted = min(max(0, moves), MOST_MOVES)
    words = asked_in(slug, keeper.visit.connection.url.query)
    asked = (("seats", str(count)), ("moves", str(wanted)), *words)
    try:
        return await keeper.page(
            "board",
            "settings",
            slug=slug,
            edition=edition,
            zones=board(game, count, wanted, keeper.visit.language, asked=asked),
            box=games.part(slug, "board").box(game),
            seats=count,
            offered_seats=tuple(game.seats),
            moves=wanted,
            seat=None,
            key="",
            at=0,
        )
    except UNDRAWN as fault:
        return await undrawn(keeper, slug, edition, fault)


async def undrawn(keeper: Keeper, slug: str, edition: Edition, fault: Exception) -> Response:
    """A page that says what no drawing of ours knows."""
    logger.warning("edition %s/%s cannot be drawn: %s", slug, edition.name, fault)
    why = f"{type(fault).__name__}: {fault}"[:200]
    return await keeper.page("undrawn", "settings", edition=edition, slug=slug, why=why)


def board(game: AnyGame, seats: int, moves: int, language: str, *, asked: Asked) -> dict[str, str]:
    """The zones of a board as a spectator sees them."""
    position = None
    for done, each in enumerate(playout(game, seats=seats, seed="preview", bots=(games.bots(game.slug)["random"],))):
        position = each
        if done >= moves:
            break
    assert position is not None
    last = position.played[-1] if position.played else None
    seen = tuple(event.seen_by(None) for event in last.events) if last else ()
    look: Look[Any, Any] = Look(
        view=game.view(position.state, None),
        seat=None,
        actions=(),
        decisions=game.decisions(position.state),
        sitters=tuple(Sitter("", "random") for _ in range(seats)),
        latest=tuple(event for event in seen if event is not None),
        actor=last.seat if last else None,
        scores=game.scores(position.state) if position.over else (),
        live=False,
        asked=asked,
    )
    return draw_zones(language, game.slug, games.part(game.slug, "board").zones(game, look))


@router.get("/{slug}/{name}/file")
async def download(keeper: Keeping, slug: str, name: str) -> Response:
    """The file."""
    edition, _ = await known(keeper, slug, name)
    headers = {"Content-Disposition": f'attachment; filename="{edition.name}.toml"'}
    return PlainTextResponse(edition.text, headers=headers)

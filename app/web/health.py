"""Is this process alive, and can it reach the database?"""

from fastapi import APIRouter
from sqlalchemy import text
from starlette.requests import Request
from starlette.responses import PlainTextResponse

from app.db.lost import LOST

router = APIRouter()


@router.get("/health/live")
async def live() -> PlainTextResponse:
    """The process answers."""
    return PlainTextResponse("alive")


@router.get("/health/ready")
async def ready(request: Request) -> PlainTextResponse:
    """The database answers too."""
    try:
        async with request.app.state.edge.server.engine.connect() as connection:
            await connection.execute(text("SELECT 1"))
    except LOST:
        return PlainTextResponse("the database does not answer", 503)
    return PlainTextResponse("ready")

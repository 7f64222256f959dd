"""Players who know this game."""

from app.engine.bots import Bot

BOTS: tuple[Bot, ...] = ()

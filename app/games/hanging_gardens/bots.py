"""Players who know The Hanging Gardens."""

from app.engine.bots import Bot, RandomBot

BOTS: tuple[Bot, ...] = (RandomBot(),)

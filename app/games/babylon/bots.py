"""Players who know Babylon."""

from app.engine.bots import Bot, RandomBot

BOTS: tuple[Bot, ...] = (RandomBot(),)

"""The templates for text that is no HTML: letters, and notices of a browser."""

from functools import cache

from jinja2 import Environment

from app.web.drawing import environment, sentences


@cache
def plain(language: str) -> Environment:
    """Those of a language."""
    made = environment(language).overlay(autoescape=False)
    made.globals = {**made.globals, **sentences(language, str)}
    return made

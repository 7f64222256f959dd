"""Refusals, named for the complaint; the edge turns them into a status and a sentence."""


class Refusal(Exception):
    """A use case says no. ``facts`` fill the sentence that the reader gets."""

    def __init__(self, **facts: str | int) -> None:
        self.facts = facts
        super().__init__(", ".join(f"{name}={value}" for name, value in facts.items()))


class NoSuchTable(Refusal):
    """No table has that address."""


class NotYourSeat(Refusal):
    """Somebody else sits there."""


class NotYourDecision(Refusal):
    """It is not this seat that must choose."""


class DecisionPassed(Refusal):
    """The page was late: that decision has been made, or the table has moved on."""


class BadAction(Refusal):
    """What was sent is no action of this game."""


class TableFull(Refusal):
    """No seat is free."""


class SeatTaken(Refusal):
    """That seat is not free."""


class AlreadyStarted(Refusal):
    """The game has begun; this can only be done before."""


class NotStarted(Refusal):
    """The game has not begun."""


class GameOver(Refusal):
    """The game is over."""


class NotOver(Refusal):
    """The game is not over yet."""


class NotHost(Refusal):
    """Only the host may do this."""


class SeatsFree(Refusal):
    """The game cannot start while a seat is free."""


class BadTable(Refusal):
    """A table cannot be opened like this: ``field`` names what is wrong."""


class TooManyTables(Refusal):
    """This person has opened as many tables as one may."""


class BadName(Refusal):
    """A nickname that cannot be used: ``reason`` is ``empty``, ``long`` or ``characters``."""


class LogParted(Refusal):
    """The stored log no longer leads to the stored digests: the rules have changed since."""


class NotSaved(Refusal):
    """The database did not answer; nothing was changed."""

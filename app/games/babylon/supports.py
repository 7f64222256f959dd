"""What carries a tile: the forms its supports may take, what they cost, and who can pay (9.2, 9.4, 9.5)."""

from functools import cache

import msgspec

from app.engine.contract import Broken
from app.games.babylon.garden import CORNERS

NO_CORNER = "none"
OPEN_CHOICES = (NO_CORNER, *CORNERS)
"""What may be said about the open corner: none of them, or which."""


class Form(msgspec.Struct, frozen=True):
    """One way to support a tile: which corner stays open, and the pillars under the others (9.4)."""

    open: str
    supports: str
    singles: int
    doubles: int


class Payment(msgspec.Struct, frozen=True):
    """What a form takes: singles set, doubles from the token, doubles exchanged for two singles each (9.2)."""

    singles: int
    token_doubles: int
    exchanged: int

    @property
    def spent(self) -> int:
        """The single pillars that leave the player, set or exchanged."""
        return self.singles + 2 * self.exchanged


class Purse(msgspec.Struct, frozen=True):
    """What there is to build with: the player's singles and token doubles, and what the supply holds (9.2, 3.5)."""

    singles: int
    doubles: int
    supply_doubles: int
    belvederes: int

    def payment(self, form: Form) -> Payment:
        """What the form would take, affordable or not: token doubles first, then exchange (9.2)."""
        token = min(self.doubles, form.doubles)
        return Payment(form.singles, token, form.doubles - token)

    def affords(self, form: Form) -> bool:
        """Whether there is enough of everything (9.4.10, 9.4.11)."""
        exchanged = max(0, form.doubles - self.doubles)
        return (
            form.singles + 2 * exchanged <= self.singles
            and exchanged <= self.supply_doubles
            and (form.open == NO_CORNER or self.belvederes > 0)
        )

    def fault(self, form: Form) -> Broken | None:
        """Which of the two is missing."""
        payment = self.payment(form)
        if payment.spent > self.singles:
            return Broken("not_enough_pillars", "9.4.10", (("need", payment.spent), ("have", self.singles)))
        if payment.exchanged > self.supply_doubles:
            return Broken("supply_empty", "9.4.10", (("piece", "double_pillar"), ("left", self.supply_doubles)))
        if form.open != NO_CORNER and not self.belvederes:
            return Broken("supply_empty", "9.4.11", (("piece", "belvedere"), ("left", 0)))
        return None


@cache
def form_of(supports: str) -> Form:
    """The form with these supports, clockwise from north-west; at most one is ``-``."""
    open_corner = CORNERS[supports.index("-")] if "-" in supports else NO_CORNER
    return Form(open_corner, supports, supports.count("s"), supports.count("d"))


@cache
def forms_of(corners: str) -> tuple[Form, ...]:
    """Every form that a site with these corners allows (9.4.7 to 9.4.9)."""
    missing = corners.count("-")
    if missing > 1:
        return ()
    if missing == 1:
        return (form_of(corners),)
    three = (corners[:corner] + "-" + corners[corner + 1 :] for corner in range(4) if corners[corner] != "p")
    return (form_of(corners), *(form_of(supports) for supports in three))

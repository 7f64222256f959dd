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


class NotSure(Refusal):
    """Once more: this ends the turn or shows something (``step``), and its person wishes to be asked before.
    ``latest``: the action that could be taken back instead, or 0."""


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


class TimeUp(Refusal):
    """The time for this turn is up; a bot plays it."""


class PlayedLate(Refusal):
    """A turn that was made when its time was up is not taken back."""


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


class NameTaken(Refusal):
    """Somebody has an account of that name."""


class BadPassword(Refusal):
    """A password that is too easy to guess: ``flaw`` is ``short``, ``long``, ``name`` or ``simple``."""


class WrongPassword(Refusal):
    """Name and password do not fit together."""


class BadEmail(Refusal):
    """That is no e-mail address."""


class EmailTaken(Refusal):
    """Another account has confirmed that address."""


class BadLink(Refusal):
    """A link from a letter that was used, is too old, or never was one."""


class TooManyLetters(Refusal):
    """Several letters of that kind went out a moment ago."""


class BadChoice(Refusal):
    """A preference that is not offered: ``field`` names it."""


class BadSubscription(Refusal):
    """What a browser says of where notices to it go makes no sense, or leads where we do not go."""


class NeedsAccount(Refusal):
    """Guests have no password, and so no e-mail address."""


class HasAccount(Refusal):
    """This person has an account already."""


class NoSuchPerson(Refusal):
    """Nobody is called that."""


class SeveralPeople(Refusal):
    """More than one guest is called that: anybody may take any name that no account has."""


class SignedOut(Refusal):
    """This browser was signed out, so nothing was done."""


class NeedsPassword(Refusal):
    """This table lets in only who knows its password."""


class NotThePassword(Refusal):
    """That is not the password of this table."""


class HostIsHere(Refusal):
    """The host has been here a moment ago, and stays the host."""


class NoOffer(Refusal):
    """That seat is not offered any more: somebody has taken it."""


class HasSeat(Refusal):
    """That person has a seat at this table already."""


class GaveUp(Refusal):
    """That person gave up at this table, and takes no seat there again."""


class HasDeclined(Refusal):
    """That person was asked and said no."""


class TooManyInvitations(Refusal):
    """As many people as may be asked to one table have been."""


class LogParted(Refusal):
    """The stored log no longer leads to the stored digests: the rules have changed since."""


class NotSaved(Refusal):
    """The database did not answer; nothing was changed."""


class TablePaused(Refusal):
    """An admin has paused the table: nobody may act at it for now."""


class SharedDevice(Refusal):
    """Several play at this person's device: none of them can give up alone."""


class NotAllowed(Refusal):
    """An admin's power that this person's role does not have."""


class NotImpartial(Refusal):
    """Who sits at a table may not look into the others' hands, whatever their role."""


class HigherRole(Refusal):
    """Nobody has power over people of their own role or a higher one."""


class LastOwner(Refusal):
    """Somebody must own the server."""


class NeedsReason(Refusal):
    """An act that others must be able to understand later needs a reason."""


class BadAddress(Refusal):
    """That is no address and no range of addresses, or a range that is far too large."""


class BadTime(Refusal):
    """That is no length of time."""


class Muted(Refusal):
    """This person may say nothing to others until then."""


class Banned(Refusal):
    """This person, or this address, may not come in: ``reason`` says why; ``until`` is empty or a day."""


class NotGuest(Refusal):
    """Only a guest can become part of an account."""


class RegistrationClosed(Refusal):
    """Nobody can make an account here at present."""


class NeedsInvitation(Refusal):
    """An account needs an invitation, and this is none that is still good."""


class NoGuests(Refusal):
    """Only people with an account may play here."""


class BadSetting(Refusal):
    """A setting that cannot be kept: ``field`` names it."""


class BadEdition(Refusal):
    """An edition that cannot be used: the ``file``, the ``line`` (0: unknown), the ``key``, and the ``flaw``."""


class EditionTaken(Refusal):
    """An edition of that name is there already; editions are never changed."""


class BadRemark(Refusal):
    """Something that cannot be said: ``reason`` is ``empty`` or ``long`` (more than ``most`` characters)."""


class TalkOff(Refusal):
    """The host has ended the talk at this table."""


class LeftSeat(Refusal):
    """Who left a seat and may come back knows a hand, and says nothing until then."""


class NoGuestTalk(Refusal):
    """Only people with an account may say something."""


class OtherRoom(Refusal):
    """It would be heard by others now than the page said."""


class NoSuchRemark(Refusal):
    """Nobody said that, or not to this person."""


class NoSuchEntry(Refusal):
    """The log has no such entry."""


class NoSuchMoment(Refusal):
    """The table has never had so many entries, or that is no number of them."""

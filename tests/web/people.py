"""The pages about a person as they can be: guests and accounts, nothing and plenty, and whatever was refused."""

from datetime import timedelta
from typing import Any

from app.services import clock
from app.services.mutes import Muted
from app.services.playing import Playing
from app.services.profiles import Ended, Other, Profile, Progress, Source
from app.services.records import Group, Record, Step
from app.services.sessions import SignedIn
from app.services.wishes import Wish
from app.web.cards import NameForm
from app.web.forms import Doors, Field, Forgotten, Going, Lying, NewPassword, Person, Proof
from app.web.preferences import boards, zones_by_region
from app.web.profiles import lines_of, profile_path

GARDENS = "hanging_gardens"
LONG = "空中庭園の白鷺と夕暮れの獅子🦁👑の物語を語る人"
WICKED = '<img src=x onerror="alert(1)">{{7*7}}'
NOW = clock.now()
WRONG = Field("written before", "bad_email")
BROWSERS = (
    SignedIn(1, "Firefox · Linux", "192.0.2.1", NOW, NOW, True),
    SignedIn(2, "", "2001:db8::1234:5678:9abc:def0", NOW, NOW - timedelta(days=400), False),
)


def person(**facts: Any) -> dict[str, Any]:
    """The page of preferences."""
    known = {"language": "en", "theme": "", "sound": False, "time_zone": "Asia/Tokyo", "signed_in": BROWSERS}
    form = Person(**{"guest": False, "name": Field(WICKED), **known, **facts})
    seen = {1: 20, 2: 400 * 24 * 3600}
    return {
        "form": form,
        "keep": Doors(next="/me/preferences"),
        "zones": zones_by_region("en", ""),
        "boards": boards(),
        "seen": seen,
        "telling": Wish(2, "hourly"),
        "key": "BPublic",
    }


def profile(**facts: Any) -> dict[str, Any]:
    """Somebody's profile."""
    known: dict[str, Any] = {
        "id": 1,
        "name": LONG,
        "guest": False,
        "since": NOW - timedelta(days=900),
        "own": False,
        "games": 0,
        "won": 0,
        "together": 0,
        "playing": 0,
        "progress": (),
        "places": (),
        "slug": "",
        "slugs": (),
        "summary": (),
        "record": None,
        "sources": (),
        "counted": 0,
        "ended": (),
        "earlier": "",
    }
    return {
        "lines": lines_of(facts.get("record")),
        "profile": Profile(**{**known, **facts}),
        "games": (GARDENS, "amyitis"),
        "chosen": "",
        "here_path": "/@x",
        "profile_path": profile_path,
    }


def ended(**facts: Any) -> Ended:
    """A game that ended."""
    others = (Other(WICKED, "", True, 81), Other("Mika", "", False, 80), Other("", "greedy", False, 3))
    known: dict[str, Any] = {"key": "abc", "slug": GARDENS, "others": others, "total": 92, "rank": 1, "change": 12}
    return Ended(**{**known, "verdict": "", "at": NOW, "secret": False, **facts})


WEEKS = [NOW - timedelta(weeks=weeks) for weeks in range(40, 0, -1)]
GAMES = Group("", 90, 40, 81.25, 131)
RECORD = Record(
    slug=GARDENS,
    all=GAMES,
    places=(40, 30, 19, 1),
    by_seats=(Group("1", 3, 0, 60.0, 71), Group("2", 87, 40, 81.5, 131)),
    by_company=tuple(Group(key, 18, 8, 80.0, 131) for key in ("people", "mixed", "bots", "beside", "alone")),
    means=(("flowers", 31.3), ("trees", -3.0)),
    ratings=tuple((at, 25 + number / 10) for number, at in enumerate(WEEKS)),
    points=tuple(Step(number, at, 60 - number * 2) for number, at in enumerate(WEEKS, start=1)),
)
PLENTY = {
    "games": 137,
    "won": 58,
    "together": 130,
    "playing": 2,
    "progress": (
        Progress(GARDENS, 1642, False, 110, 1680, -12, (1500, 1540, 1680, 1654, 1642)),
        Progress("amyitis", 1500, True, 1, 1500, 0, (1500,)),
    ),
    "places": (58, 40, 20, 12),
    "slug": GARDENS,
    "slugs": ("amyitis", GARDENS),
    "sources": (Source("flowers", 31.3, 28.0), Source("objectives", 0.0, 12.0), Source("trees", -3.0, -1.0)),
    "counted": 110,
    "ended": (
        ended(),
        ended(key="abd", change=-3, rank=4, secret=True),
        ended(key="abe", others=(), change=None, verdict="", at=NOW - timedelta(days=1)),
        ended(key="abf", slug="amyitis", change=0, at=NOW - timedelta(days=500)),
    ),
    "earlier": "abf",
}

PAGES: dict[str, tuple[str, dict[str, Any]]] = {
    "the ways in": ("accounts/sign_in.html", {"form": Doors("/tables/abc"), "guest": False, "me": None}),
    "the ways in for a guest": ("accounts/sign_in.html", {"form": Doors(), "guest": True, "me": WICKED}),
    **{
        f"the ways in after a lost {lost}": (
            "accounts/sign_in.html",
            {"form": Doors("/tables/abc", lost), "guest": False, "me": None},
        )
        for lost in ("move", "post", "page")
    },
    "ways in that were refused": (
        "accounts/sign_in.html",
        {
            "form": Doors(
                "/",
                "",
                Field(WICKED, "name_long"),
                Field(WICKED),
                Field("", "wrong_password", 3),
                Field(WICKED, "name_taken"),
                Field("", "password_short"),
                WRONG,
            ),
            "guest": False,
            "me": None,
        },
    ),
    "no more letters, really?": ("notices/unsubscribe.html", {"token": WICKED, "done": False, "me": None}),
    "no more letters": ("notices/unsubscribe.html", {"token": WICKED, "done": True, "me": None}),
    "a lost password": ("accounts/forgotten.html", {"form": Forgotten(), "me": None}),
    "a letter on its way": ("accounts/forgotten.html", {"form": Forgotten(Field(WICKED), asked=True), "me": None}),
    "a new password": ("accounts/password.html", {"form": NewPassword("token", WICKED, Field("", "password_name"))}),
    "a link that leads nowhere": ("accounts/password.html", {"form": NewPassword("")}),
    "an address to be confirmed": ("accounts/confirm.html", {"form": Proof("token", WICKED, "a@example.org")}),
    "a confirmed address": ("accounts/confirm.html", {"form": Proof(email="a@example.org", done=True)}),
    "an address of another": ("accounts/confirm.html", {"form": Proof(complaint="email_taken")}),
    "preferences of a guest": ("accounts/preferences.html", person(guest=True)),
    "preferences of an account": (
        "accounts/preferences.html",
        person(email=Field("a@example.org"), confirmed=True, saved="password"),
    ),
    "preferences of who does not hear somebody": (
        "accounts/preferences.html",
        person(muted=(Muted(7, WICKED, NOW), Muted(8, LONG, NOW)), saved="muted"),
    ),
    "preferences that were refused": (
        "accounts/preferences.html",
        person(
            name=Field(WICKED, "name_taken"),
            email=WRONG,
            password=Field("", "wrong_password", 1),
            new_password=Field("", "password_simple"),
            email_password=Field("", "password_rest"),
            choices=Field("", "bad_choice"),
            habits=Field("", "bad_choice"),
            playing=Playing(True, True, "off", "safe", 4, ((GARDENS, (("others", "seats"),)),)),
        ),
    ),
    "going for good": ("accounts/delete.html", {"form": Going(False, WICKED, Field("", "wrong_password", 4), 3)}),
    "a farewell": ("accounts/gone.html", {"me": None}),
    "no letters": ("accounts/letters.html", {"letters": ()}),
    "letters": (
        "accounts/letters.html",
        {"letters": (Lying(1, "confirm", "a@example.org", WICKED, f"{WICKED} https://x.example/confirm", "today"),)},
    ),
    "a new profile": ("accounts/profile.html", profile(own=True, guest=True)),
    "a full profile": (
        "accounts/profile.html",
        profile(**PLENTY, summary=(Group("amyitis", 1, 0, -3.5, -3), Group(GARDENS, 90, 40, 81.2, 131))),
    ),
    "a profile of one game": (
        "accounts/profile.html",
        profile(**{**PLENTY, "together": 0, "places": (), "own": True}, record=RECORD),
    ),
    "a browser that was signed out": ("pages/name.html", {"form": NameForm(), "me": None, "lost": True}),
}

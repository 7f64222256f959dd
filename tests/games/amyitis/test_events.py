"""The events of an action tell all that it changed: from the table before and the events comes the table after."""

import json
from collections.abc import Iterable
from typing import Any

import pytest

from app.engine import codec
from app.engine.bots import Bot
from app.engine.contract import Event
from app.engine.playout import playout
from app.games import bots
from app.games.amyitis import events as told
from app.games.amyitis.components import ROWS, TEMPLES, TRACKS
from app.games.amyitis.state import NEUTRAL, NOBODY, SOURCES, Realm
from tests.games.amyitis.positions import BOX, GAME, GRID

HOW_FAR = ("turn", "active", "stage", "seat", "planting")
"""Where the game stands; the decisions say that."""

SCORED: dict[type[Event], str] = {
    told.Earned: "bankers",
    told.Built: "channels",
    told.Sold: "sales",
    told.Promoted: "palaces",
    told.Planted: "tiles",
    told.Blessed: "temples",
}
"""What the points of an event come from."""

Table = dict[str, Any]


def table(realm: Realm) -> Table:
    """What lies on the table, as plain values."""
    plain: Table = json.loads(codec.encode(realm))
    return {name: value for name, value in plain.items() if name not in HOW_FAR}


def folded(realm: Realm, events: Iterable[Event]) -> Table:
    """The table after these events."""
    after = table(realm)
    for event in events:
        seat = getattr(event, "seat", NOBODY)
        if seat >= 0:
            fold_belongings(after["players"][seat], event)
        fold_gardeners(after, event)
        fold_town(after, event)
        fold_garden(after, event, realm.active)
    return after


def fold_belongings(player: Table, event: Event) -> None:
    """Talents, camels, goods and points of the event's own seat."""
    sign = -1 if isinstance(event, told.Recruited | told.Moved) else 1
    for name in ("talents", "camels"):
        player[name] += sign * getattr(event, name, 0)
    changes: list[tuple[str, int]] = []
    points: list[tuple[str, int]] = []
    match event:
        case told.Paid(tokens=tokens) | told.Sold(tokens=tokens) | told.Discarded(tokens=tokens):
            changes = [(token, -1) for token in tokens]
        case told.Farmed(resource=resource) | told.TokenTaken(resource=resource):
            changes = [(resource, 1)]
        case told.Swapped(given=given, taken=taken):
            changes = [(given, -1), (taken, 1)]
        case told.Rewarded(bonus=bonus, leftovers=leftovers):
            points = [("bonus", bonus), ("leftovers", leftovers)]
    for token, count in changes:
        player["goods"][BOX.resource_ids.index(token)] += count
    if type(event) in SCORED:
        points = [(SCORED[type(event)], getattr(event, "vp", 0))]
    for source, vp in points:
        player["points"][SOURCES.index(source)] += vp


def fold_gardeners(after: Table, event: Event) -> None:
    """Who takes gardeners from the pool or gives them back."""
    match event:
        case told.GardenerTaken(seat=seat):
            count = 1
        case told.Harvested(leader=seat, gardener=gardener):
            count = int(gardener)
        case told.Planted(seat=seat, gardeners=spent):
            count = -spent
        case _:
            return
    after["gardeners"] -= count
    if count:
        after["players"][seat]["gardeners"] += count


def fold_town(after: Table, event: Event) -> None:
    """Rounds, the market, fields, temples, and the court."""
    match event:
        case told.RoundBegan(round=number, start=start, rows=rows):
            market = [{"cards": list(row), "takers": [NOBODY] * len(row)} for row in rows]
            after.update(round=number, start=start, market=market, passed=[])
        case told.Passed(seat=seat):
            after["passed"].append(seat)
        case told.Recruited(seat=seat, row=row, card=card):
            after["market"][row - 1]["takers"][card - 1] = seat
        case told.Farmed(seat=seat, row=name):
            after["fields"][ROWS.index(name)].append(seat)
        case told.Harvested(row=name):
            after["fields"][ROWS.index(name)] = []
            after["harvests"][ROWS.index(name)] += 1
        case told.Worshipped(seat=seat, temple=name, pushed=pushed):
            cubes = after["temples"][TEMPLES.index(name)]
            cubes.insert(0, seat)
            after["offered"][TEMPLES.index(name)] += 1
            if pushed != NOBODY:
                assert cubes.pop() == pushed
        case told.Promoted(seat=seat, track=track, level=level):
            after["players"][seat][track] = level
            after["court"][TRACKS.index(track)][level - 1] -= 1
        case told.TokenTaken(resource=resource):
            after["tokens"].remove(resource)


def fold_garden(after: Table, event: Event, active: int) -> None:
    """The caravan, plants, channels, tiles, and the water."""
    match event:
        case told.Moved(city=city):
            after["caravan"] = BOX.city_number[city]
        case told.CardTurned(city=city, face=face):
            after["plants"][BOX.plant_number[BOX.city_number[city]]]["face"] = face
        case told.Built(seat=seat, channel=name, complete=complete):
            cubes = after["channels"][GRID.channel_number[name]]
            cubes.append(seat)
            assert complete == (len(cubes) == GRID.places[GRID.channel_number[name]])
        case told.Flooded(channel=name, cubes=count):
            after["channels"][GRID.channel_number[name]] += [NEUTRAL] * count
        case told.Planted(seat=seat, square=square, tile=tile):
            after["tiles"][GRID.square_number[square]] = ""
            after["players"][seat]["tiles"].append(tile)
        case told.Watered(square=square, leader=leader, vp=vp):
            after["planters"][GRID.square_number[square]] = active
            if leader != NOBODY:
                after["players"][leader]["points"][SOURCES.index("water")] += vp


@pytest.mark.parametrize("profile", ["standard", "rulebook"])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_events_tell_all_that_an_action_changed(seats: int, profile: str) -> None:
    """Whole games of players who do many different things."""
    those: list[Bot] = [bots("amyitis")[name] for name in ("random", "greedy")]
    for seed in range(3):
        *_, last = playout(GAME, seats=seats, seed=f"told {seed}", bots=those, options={"profile": profile})
        state = last.first
        for item in last.played:
            step = GAME.apply(state, item.seat, item.action)
            assert folded(state.realm, step.events) == table(step.state.realm)
            state = step.state

"""Clocks as a function of what is stored: no farming, no credit, no time lost to anybody but to thinking."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from app.services.clocks import Clock, Mark, Step, read
from app.services.pace import Pace
from app.services.quiet import Quiet, Span

NOON = datetime(2026, 3, 28, 12, tzinfo=UTC)
LIVE = Pace("live", 600, 10, up="bot")
DAY = Pace("turn", 86_400, up="remind")
ALICE, BOB = 0, 1


def at(seconds: float) -> datetime:
    return NOON + timedelta(seconds=seconds)


def step(
    seconds: float,
    waiting: Mapping[int, int],
    seat: int | None = None,
    *,
    person: bool = True,
    moves: bool = True,
    rewound: int | None = None,
) -> Step:
    return Step(at(seconds), waiting, seat, person=person, moves=moves, rewound=rewound)


def mark(seconds: float, version: int, kind: str, seat: int | None = None, turn: int | None = None) -> Mark:
    return Mark(at(seconds), version, kind, seat, turn)


def clocks(
    pace: Pace,
    *steps: Step,
    quiets: Sequence[Quiet | None] = (None, None),
    marks: Iterable[Mark] = (),
    gaps: Sequence[Span] = (),
) -> tuple[Clock, ...]:
    return read(pace, steps, quiets=quiets, marks=marks, gaps=gaps)


def left(clock: Clock) -> float:
    return clock.left.total_seconds()


BEGUN = step(0, {ALICE: 0})


def test_who_must_choose_has_the_clock_running() -> None:
    alice, bob = clocks(LIVE, BEGUN)
    assert (alice.running, bob.running) == (True, False)
    assert alice.deadline == at(600)
    assert (left(alice), left(bob)) == (600, 600)


def test_a_turn_costs_what_it_took_and_earns_its_seconds() -> None:
    alice, bob = clocks(LIVE, BEGUN, step(40, {BOB: 1}, ALICE))
    assert left(alice) == 600 - 40 + 10
    assert bob.deadline == at(640)


def test_a_turn_of_several_steps_earns_once() -> None:
    alice, _ = clocks(LIVE, BEGUN, step(5, {ALICE: 0}, ALICE), step(9, {ALICE: 0}, ALICE), step(20, {BOB: 1}, ALICE))
    assert left(alice) == 600 - 20 + 10


def test_decisions_at_once_run_all_clocks_concerned() -> None:
    alice, bob = clocks(LIVE, step(0, {ALICE: 0, BOB: 0}), step(30, {BOB: 0}, ALICE), step(100, {ALICE: 1}, BOB))
    assert left(bob) == 600 - 100 + 10
    assert alice.deadline == at(100 + 600 - 30 + 10)


def test_taking_back_and_making_a_turn_again_earns_nothing_more() -> None:
    steps = [BEGUN]
    for round_ in range(20):
        steps += [step(round_ * 2 + 1, {BOB: 1}, ALICE), step(round_ * 2 + 2, {ALICE: 0}, ALICE, moves=False)]
    alice, _ = clocks(LIVE, *steps)
    assert left(alice) == 600 - 20 + 10


def test_taking_back_does_not_give_a_days_time_anew() -> None:
    alice, _ = clocks(DAY, BEGUN, step(80_000, {BOB: 1}, ALICE), step(80_010, {ALICE: 0}, ALICE, moves=False))
    assert left(alice) == 86_400 - 80_000


def test_every_turn_has_its_own_day() -> None:
    alice, _ = clocks(DAY, BEGUN, step(80_000, {BOB: 1}, ALICE), step(90_000, {ALICE: 2}, BOB))
    assert alice.deadline == at(90_000 + 86_400)


def test_a_bot_that_stands_in_neither_costs_nor_earns() -> None:
    left_and_back = (mark(50, 0, "left", ALICE), mark(99, 2, "back", ALICE))
    alice, _ = clocks(
        LIVE, BEGUN, step(53, {BOB: 1}, ALICE, person=False), step(90, {ALICE: 2}, BOB), marks=left_and_back
    )
    assert left(alice) == 600 - 50


def test_leaving_and_coming_back_gives_back_nothing_that_was_thought() -> None:
    marks = [mark(50 * n + 50 + k, 0, kind, ALICE) for n in range(5) for k, kind in enumerate(("left", "back"))]
    alice, _ = clocks(LIVE, BEGUN, marks=marks)
    assert left(alice) == 600 - 50 - 4 * 49


def test_when_time_is_up_the_clock_stands_and_the_next_turn_has_what_a_turn_earns() -> None:
    up = (mark(600, 0, "up", ALICE, 0),)
    assert clocks(LIVE, BEGUN, marks=up)[ALICE].up
    alice, _ = clocks(LIVE, BEGUN, step(602, {BOB: 1}, ALICE, person=False), marks=up)
    assert (alice.up, left(alice)) == (False, 10)


def test_a_seat_is_offered_for_a_while() -> None:
    alice, _ = clocks(Pace("live", 600, 10, up="substitute"), BEGUN, marks=(mark(600, 0, "up", ALICE, 0),))
    assert alice.until == at(600 + 300)


def test_a_seat_is_offered_anew_when_its_late_turn_opens_again() -> None:
    pace, up = Pace("live", 600, 10, up="substitute"), (mark(640, 1, "up", BOB, 1),)
    steps = (BEGUN, step(40, {BOB: 1}, ALICE), step(650, {ALICE: 0}, ALICE, moves=False))
    assert not clocks(pace, *steps, marks=up)[BOB].up
    bob = clocks(pace, *steps, step(5000, {BOB: 1}, ALICE), marks=up)[BOB]
    assert (bob.up, bob.until) == (True, at(5300))


def test_a_substitute_begins_with_all_the_time() -> None:
    marks = (mark(600, 0, "up", ALICE, 0), mark(700, 0, "sat", ALICE))
    alice, _ = clocks(Pace("live", 600, 10, up="substitute"), BEGUN, marks=marks)
    assert not alice.up
    assert alice.deadline == at(1300)


def test_set_back_to_an_earlier_moment_the_clocks_stand_as_they_stood() -> None:
    steps = (BEGUN, step(40, {BOB: 1}, ALICE), step(300, {ALICE: 2}, BOB), step(500, {BOB: 1}, rewound=1))
    alice, bob = clocks(LIVE, *steps)
    assert (left(alice), left(bob)) == (570, 600)
    assert bob.deadline == at(1100)


def test_set_back_to_a_turn_in_which_time_was_up_it_begins_anew() -> None:
    for pace in (Pace("live", 600, 10, up="substitute"), Pace("turn", 600, up="bot"), Pace("turn", 600, up="remind")):
        up = (mark(600, 0, "up", ALICE, 0),)
        steps = (BEGUN, step(700, {BOB: 1}, ALICE), step(5000, {ALICE: 0}, rewound=0))
        alice, bob = clocks(pace, *steps, marks=up)
        assert (alice.up, alice.until, alice.deadline, left(bob)) == (False, None, at(5600), 600)
        again = clocks(pace, *steps, marks=(*up, mark(5600, 2, "up", ALICE, 0)))[ALICE]
        assert again.up and again.until == (at(5900) if pace.live else again.until)


def test_an_outage_and_a_pause_cost_nobody_time() -> None:
    paused = (mark(100, 0, "paused"), mark(250, 0, "resumed"))
    alice, _ = clocks(LIVE, BEGUN, marks=paused, gaps=[(at(20), at(50)), (at(240), at(260))])
    assert alice.deadline == at(600 + 30 + 160)


def test_while_a_table_is_paused_no_clock_runs() -> None:
    alice, _ = clocks(LIVE, BEGUN, marks=(mark(100, 0, "paused"),))
    assert (alice.running, alice.deadline, left(alice)) == (False, None, 500)


def test_quiet_hours_count_by_the_day_and_not_at_one_sitting() -> None:
    asleep = (Quiet(12, 22, "UTC"), None)
    assert clocks(LIVE, BEGUN, quiets=asleep)[ALICE].deadline == at(600)
    hours = Pace("turn", 4 * 3600, up="remind")
    assert clocks(hours, BEGUN, quiets=asleep)[ALICE].deadline == at(14 * 3600)


def test_in_the_night_of_the_summer_time_the_deadline_is_on_the_clock_of_the_wall() -> None:
    """From 22:00 to 7:00 in Berlin on the night of 28 March 2026 are eight hours."""
    sleeping = (Quiet(22, 7, "Europe/Berlin"), None)
    alice, _ = clocks(Pace("turn", 12 * 3600), BEGUN, quiets=sleeping)  # it is 13:00 there
    assert alice.deadline == datetime(2026, 3, 29, 8, tzinfo=UTC)  # 10:00


def test_a_bot_gives_back_what_its_own_turn_was_charged_and_nothing_else() -> None:
    """What Bob was charged in a turn that was taken back is not the bot's to give."""
    steps = (
        BEGUN,
        step(1, {BOB: 1}, ALICE),
        step(2, {ALICE: 2}, BOB),
        step(3, {BOB: 3}, ALICE),
        step(500, {ALICE: 2}, ALICE, moves=False),
        step(501, {BOB: 1}, BOB, moves=False),
        step(502, {ALICE: 2}, BOB, person=False),
    )
    assert left(clocks(LIVE, *steps)[BOB]) == 600 + 10 - 1 - 497
    assert all(left(each) <= DAY.bank for each in clocks(DAY, *steps))


spans = st.integers(1, 200)
acts = st.lists(st.tuples(spans, st.sampled_from(("act", "undo", "bot"))), max_size=30)


def story(found: list[tuple[int, str]]) -> list[Step]:
    """Two seats in turn, with things taken back in between."""
    steps, now, turn = [BEGUN], 0, 0
    for span, what in found:
        now += span
        if what == "undo" and turn > 0:
            turn -= 1
            steps.append(step(now, {turn % 2: turn}, turn % 2, moves=False))
        else:
            turn += 1
            steps.append(step(now, {turn % 2: turn}, (turn - 1) % 2, person=what != "bot"))
    return steps


@given(acts)
def test_nobody_ever_has_more_than_there_was_and_every_turn_once_earned(found: list[tuple[int, str]]) -> None:
    steps = story(found)
    turns = {turn for each in steps for turn in each.waiting.values()}
    for seat, clock in enumerate(clocks(LIVE, *steps)):
        mine = sum(turn % 2 == seat for turn in turns)
        assert 0 <= left(clock) <= LIVE.bank + LIVE.gain * mine
    for clock in clocks(DAY, *steps):
        assert 0 <= left(clock) <= DAY.bank


@given(acts, spans)
def test_what_is_left_when_read_later_is_what_was_left_less_what_passed(
    found: list[tuple[int, str]], span: int
) -> None:
    """An entry that changes nothing at the table changes nothing at the clocks: so any process reads the same."""
    steps = story(found)
    before = clocks(LIVE, *steps)
    last = steps[-1]
    again = clocks(LIVE, *steps, Step(last.at + timedelta(seconds=span), last.waiting))
    for one, two in zip(before, again, strict=True):
        if two.left > timedelta(0):
            assert one.deadline == two.deadline


@given(acts, st.integers(0, 5000), spans)
def test_an_outage_moves_every_deadline_and_makes_none_earlier(
    found: list[tuple[int, str]], begins: int, lasts: int
) -> None:
    steps = story(found)
    gap = (at(begins), at(begins + lasts))
    for one, two in zip(clocks(LIVE, *steps), clocks(LIVE, *steps, gaps=[gap]), strict=True):
        if one.deadline is not None and two.deadline is not None:
            assert timedelta(0) <= two.deadline - one.deadline <= timedelta(seconds=lasts)

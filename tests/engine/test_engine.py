"""The engine keeps its word on a toy game that has everything hard in it."""

import pytest

from app.engine import codec, log, notation, record
from app.engine.bots import GreedyBot, RandomBot
from app.engine.contract import OptionRefused, Score, ranked
from app.engine.editions import EditionRefused, check_unique, make_edition, read_box
from app.engine.playout import playout
from app.engine.rng import Chance, DealRefused, Rng
from tests import promises
from tests.engine.sealed import GAME, Bid, State


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("seed", ["1", "2", "3", "4", "5"])
def test_the_toy_game_keeps_every_promise(seats: int, seed: str) -> None:
    promises.keep_all(GAME, seats=seats, seed=seed)


def test_chance_draws_the_numbers_it_always_drew() -> None:
    rng = Rng("Semiramis")
    numbers = []
    for _ in range(6):
        number, rng = rng.below(100)
        numbers.append(number)
    assert numbers == [85, 56, 54, 26, 66, 63]
    assert Rng("Semiramis").shuffled("abcdefgh")[0] == tuple("gadcbehf")


def test_a_written_deal_comes_first_and_the_rest_is_shuffled_behind_it() -> None:
    chance = Chance(Rng("x"), {"deck": ("c", "a")})
    order = chance.shuffled("deck", ("a", "b", "c", "d", "e"))
    assert order[:2] == ("c", "a")
    assert sorted(order) == ["a", "b", "c", "d", "e"]
    chance.done()


@pytest.mark.parametrize(
    ("deal", "reason"),
    [
        ({"deck": ("z",)}, "not in this pile"),
        ({"deck": ("a", "a")}, "named more often"),
        ({"dice": ("1",)}, "no such pile"),
    ],
)
def test_a_deal_that_does_not_fit_the_box_is_refused(deal: dict[str, tuple[str, ...]], reason: str) -> None:
    chance = Chance(Rng("x"), deal)
    with pytest.raises(DealRefused, match=reason):
        chance.shuffled("deck", ("a", "b"))
        chance.done()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "bid",
        "bid:",
        "bid:a:b",
        "bid:A B",
        "keep:x",
        "keep:1.5",
        "keep:+1",
        "keep:007",
        "drop:1",
        "bid:" + "a" * 300,
    ],
)
def test_what_is_not_an_action_is_refused(text: str) -> None:
    with pytest.raises(notation.NotAnAction):
        notation.parse(GAME, text)


def test_a_sealed_bid_may_be_taken_back_until_the_opening() -> None:
    position = log.begin(GAME, seats=3, options={}, seed="s")
    for seat in (0, 1):
        position = log.act(GAME, position, seat, GAME.actions(position.state, seat)[0])
    undone = log.append(GAME, position, log.undo(position, 0))
    assert [decision.seat for decision in GAME.decisions(undone.state)] == [0, 2]
    assert undone.waiting == {0: 3, 2: 0}
    for seat in (0, 2):
        undone = log.act(GAME, undone, seat, GAME.actions(undone.state, seat)[0])
    with pytest.raises(log.CannotUndo, match="undo_revealed"):
        log.undo(undone, 0)


def test_a_decision_stays_open_since_when_it_opened_while_others_choose() -> None:
    position = log.begin(GAME, seats=3, options={}, seed="s")
    position = log.act(GAME, position, 1, GAME.actions(position.state, 1)[0])
    assert position.waiting == {0: 0, 2: 0}


def test_a_rewind_brings_back_an_earlier_moment_and_keeps_the_log() -> None:
    positions = list(playout(GAME, seats=2, seed="r", bots=(RandomBot(),)))
    back = log.append(GAME, positions[-1], log.Entry(None, "rewind:2"))
    assert codec.encode(back.state) == codec.encode(positions[2].state)
    assert back.version == positions[-1].version + 1


def test_nobody_undoes_what_they_did_not_do() -> None:
    position = log.begin(GAME, seats=2, options={}, seed="s")
    with pytest.raises(log.CannotUndo, match="nothing_to_undo"):
        log.undo(position, 0)


def test_an_action_out_of_turn_or_not_in_hand_is_refused_with_its_rule() -> None:
    position = log.begin(GAME, seats=2, options={}, seed="s")
    missing = next(f"c{n}" for n in range(1, 19) if f"c{n}" not in position.state.hands[0])
    with pytest.raises(log.Refused, match=r"not_in_hand 2\.1"):
        log.act(GAME, position, 0, Bid(missing))
    with pytest.raises(log.Refused, match="not_your_decision"):
        log.append(GAME, position, log.Entry(7, "bid:c1"))


def test_options_are_filled_in_and_bad_ones_refused() -> None:
    assert GAME.options_for(2) == {"prize": "5", "pair": "on"}
    assert GAME.options_for(3, {"prize": "7"}) == {"prize": "7"}
    with pytest.raises(OptionRefused, match="choose one of 5, 7"):
        GAME.options_for(2, {"prize": "6"})
    with pytest.raises(OptionRefused, match="no such option"):
        GAME.options_for(3, {"pair": "on"})


def test_equal_totals_and_tie_breaks_share_a_rank() -> None:
    scores = [
        Score(0, 52, (), 0, (3,)),
        Score(1, 52, (), 0, (3,)),
        Score(2, 51, (), 0, (9,)),
        Score(3, 52, (), 0, (4,)),
    ]
    assert [score.rank for score in ranked(scores)] == [2, 2, 4, 1]


def test_a_greedy_bot_takes_the_points() -> None:
    ends = [
        list(playout(GAME, seats=2, seed=str(seed), bots=(GreedyBot(), RandomBot())))[-1].state for seed in range(40)
    ]
    assert sum(end.points[0] for end in ends) > sum(end.points[1] for end in ends)


def recorded() -> str:
    positions = list(playout(GAME, seats=2, seed="rec", bots=(RandomBot(),)))
    entries = [log.Entry(item.seat, notation.write(item.action)) for item in positions[-1].played]
    made = record.record_of(
        GAME,
        seats=2,
        options=GAME.options_for(2),
        seed="rec",
        entries=entries,
        scores=GAME.scores(positions[-1].state),
    )
    return record.write(made)


def test_a_recorded_game_reads_as_it_was_written_and_holds() -> None:
    text = recorded()
    read = record.read(text)
    assert record.write(read) == text
    assert record.replay(GAME, read).over
    assert record.replay(GAME, read, until=2).version == 2


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("score A ", "score A 9", "the rules say"),
        ("seats: 2", "seats: 9", "is for 2 to 3"),
        ("game: sealed\n", "", "game: missing"),
        ("A bid:", "A bid:x", "not_in_hand"),
        ("A bid:", "A bit:", "no such action"),
        ("A bid:", "A undo:9\nA bid:", "A has nothing to take back"),
        ("A bid:", "nonsense\nA bid:", "neither a header"),
        ("options: ", "options: prize ", "not name=value"),
        ("revision: 1", "revision: one", "not a number"),
        ("revision: 1", "colour: red", "no such header"),
    ],
)
def test_a_record_that_does_not_hold_is_refused_at_its_line(old: str, new: str, complaint: str) -> None:
    with pytest.raises(record.RecordRefused, match=complaint):
        record.replay(GAME, record.read(recorded().replace(old, new, 1)))


def test_a_box_with_a_fault_is_refused_with_file_key_and_reason() -> None:
    with pytest.raises(EditionRefused, match=r"bad\.toml: \(syntax\)"):
        read_box(make_edition("bad", "bad.toml", "= 3"), State)
    with pytest.raises(EditionRefused, match=r"bad\.toml: .*hands"):
        read_box(make_edition("bad", "bad.toml", "sealed = []"), State)
    with pytest.raises(EditionRefused, match=r"bad\.toml: card\[1\]\.id: a stands twice"):
        check_unique(make_edition("bad", "bad.toml", ""), "card", ["a", "a"])

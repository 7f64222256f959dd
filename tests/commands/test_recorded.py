"""Recorded games in files: whatever does not hold is told with its line and its rule, in plain words."""

import json
from pathlib import Path

import pytest

from app import games
from tests.commands.test_playing import recorded, run

__all__ = ["recorded"]
GAMES = sorted(games.games())


def test_a_line_that_does_not_hold_is_named_with_its_rule(recorded: Path, tmp_path: Path) -> None:
    lines = recorded.read_text().splitlines()
    number = next(index for index, line in enumerate(lines) if line.startswith(("A take", "B take")))
    bad = tmp_path / "bad.game"
    lines[number] = lines[number][:2] + "take:1:1:3:0"
    bad.write_text("\n".join(lines))
    said = run("replay", str(bad), code=1)
    assert f"line {number + 1}:" in said
    assert "rule 6" in said
    lines[number] = lines[number][:2] + "dance"
    bad.write_text("\n".join(lines))
    assert f"line {number + 1}: no such action" in run("replay", str(bad), code=1)


def test_scores_that_are_not_those_of_the_rules_are_named_as_they_are_and_as_they_should_be(
    recorded: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.game"
    score = next(line for line in recorded.read_text().splitlines() if line.startswith("score A"))
    wrong = score.replace("score A ", "score A 1")
    bad.write_text(recorded.read_text().replace(score, wrong))
    said = run("replay", str(bad), code=1)
    assert f"recorded is {wrong.removeprefix('score ')}; the rules say {score.removeprefix('score ')}" in said


HEAD = "game: hanging_gardens\nseats: 3\noptions: first=2\nseed: 7\n\n"
"""B begins."""


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("A take:1:1:1:0", "line 6: take:1:1:1:0: It is not your turn. B must choose. (rule 5.2.1)"),
        ("D take:1:1:1:0", "line 6: take:1:1:1:0: there is no seat D; this game has A, B and C"),
        ("- take:1:1:1:0", "line 6: take:1:1:1:0: an action begins with the letter of a seat"),
        ("B take:1:1:3:0", "(rule 6.2.1)"),
        ("B undo:1", "line 6: undo:1: B has nothing to take back here"),
        ("- undo:1", "line 6: undo:1: a seat takes back its own actions"),
        ("B undo:x", "not well written: undo:5"),
        ("- rewind:0", "there is no entry to go back to yet"),
        ("B take:1:1:1:0\n- rewind:200", "line 7: rewind:200: only 1 entries stand before this one"),
        ("B take:1:1:1:0\n- rewind:x", "not well written: rewind:3"),
        ("B take:1:1:1:0\nA rewind:0", "nobody at the table sets it back"),
        ("B take:1:1:1:0\nB undo:1", "entry 1 stands, since something hidden has come to light"),
        ("B take:1:1:1:0\nC undo:1", "C has nothing to take back here"),
        ("B dance", "line 6: no such action: dance"),
        ("B take:1:1:1:0\nscore A 0", "scores stand here, but the game is not over"),
        ("score A 0\nB take:1:1:1:0", "line 7: B take:1:1:1:0: stands after the scores"),
    ],
)
def test_the_commonest_mistakes_are_told_as_what_they_are(tmp_path: Path, lines: str, said: str) -> None:
    file = tmp_path / "wrong.game"
    file.write_text(f"{HEAD}{lines}\n")
    told = run("replay", str(file), code=1)
    assert said in told
    assert "<" not in told
    assert told == run("legal", str(file), code=1)


@pytest.mark.parametrize("slug", GAMES)
def test_an_action_out_of_turn_or_after_the_end_is_told_with_its_rule(slug: str, tmp_path: Path) -> None:
    file = tmp_path / "whole.game"
    run("play", slug, "--seats", "2", "--seed", "1", "--record", str(file))
    written = file.read_text().splitlines()
    body = [line for line in written if line and not line.startswith("score")]
    file.write_text("\n".join([*body, body[-1]]))
    said = run("replay", str(file), code=1)
    assert f"line {len(body) + 1}: " in said
    assert "The game is over. (rule " in said
    first = next(index for index, line in enumerate(body) if line[:2] in ("A ", "B "))
    letter = body[first][0]
    other = "B" if letter == "A" else "A"
    file.write_text("\n".join([*body[:first], other + body[first][1:]]))
    said = run("replay", str(file), code=1)
    assert f"line {first + 1}: " in said
    assert f"{letter} must choose. (rule " in said


def test_what_can_be_taken_back_is_said_when_something_else_was(tmp_path: Path) -> None:
    file = tmp_path / "wrong.game"
    run("play", "amyitis", "--seats", "2", "--seed", "1", "--record", str(file))
    body = file.read_text().splitlines()
    first = next(index for index, line in enumerate(body) if line[:2] in ("A ", "B "))
    file.write_text("\n".join([*body[: first + 1], f"{body[first][0]} undo:99"]))
    assert "can take back only undo:1 here" in run("replay", str(file), code=1)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("seats: 9", "line 3: seats: hanging_gardens is for 1 to 5, not 9"),
        ("edition: house 0123456789abcdef", "line 3: edition: the contents of house have the sum "),
        ("edition: nowhere", "line 3: edition: hanging_gardens has no edition nowhere; there are: house"),
        ("options: colour=red", "line 3: option colour=red: no such option here"),
        ("options: first=9", "line 3: option first=9: choose one of"),
        ("revision: x", "line 3: revision: not a number: x"),
        ("deal.deck: G01 G01", "line 3: deal.deck: G01: named more often than it is in the box"),
        ("deal.deck: G99", "line 3: deal.deck: G99: not in this pile"),
        ("deal.sleeve: G01", "line 3: deal.sleeve: G01: this game has no such pile"),
        ("deal.objectives: " + "? " * 99, "line 3: deal.objectives: ?: there are only 10 in this pile"),
        ("colour: red", "line 3: colour: no such header"),
    ],
)
def test_what_is_wrong_with_the_header_is_told_at_its_own_line(tmp_path: Path, line: str, said: str) -> None:
    file = tmp_path / "wrong.game"
    rest = "" if line.startswith("seats") else "seats: 2\n"
    file.write_text(f"# A game of ours.\ngame: hanging_gardens\n{line}\n{rest}")
    assert said in run("replay", str(file), code=1)


@pytest.mark.parametrize("revision", ["0", "99"])
def test_other_rules_than_ours_are_said_whether_or_not_the_game_holds(tmp_path: Path, revision: str) -> None:
    file = tmp_path / "other.game"
    head = f"game: hanging_gardens\nrevision: {revision}\nseats: 2\noptions: first=1\n"
    other = f"played by revision {revision} of these rules, and this is revision 1"
    file.write_text(head)
    assert f"line 2: revision: {other}" in run("replay", str(file))
    file.write_text(f"{head}\nB pass\n")
    assert "B pass\n" not in (said := run("replay", str(file), code=1))
    assert "line 6: pass: " in said
    assert f"({other})" in said


@pytest.mark.parametrize(
    ("written", "said"),
    [
        (HEAD.encode("utf-16"), "this is no text in UTF-8"),
        (HEAD.encode("utf-16-le"), "this is no text"),
        (bytes(range(256)), "this is no text in UTF-8"),
        (HEAD.encode() + "# Käthe\n".encode("latin-1"), "line 6: a letter here is not written in UTF-8"),
        (b"\x00" * 40, "this is no text"),
    ],
)
def test_a_file_that_is_no_text_is_told_in_our_words(tmp_path: Path, written: bytes, said: str) -> None:
    file = tmp_path / "bytes.game"
    file.write_bytes(written)
    told = run("replay", str(file), code=1)
    assert said in told
    assert "codec" not in told


def test_a_game_dealt_on_a_real_table_can_be_entered_and_continued(tmp_path: Path) -> None:
    """A deal names the cards seen so far; the rest is shuffled behind them, always the same way."""
    file = tmp_path / "table.game"
    deck = "G01 G02 G03 G04 G05 G06 G07 G08 G09 G10 G11 G12 G13"
    file.write_text(f"game: hanging_gardens\nseats: 2\noptions: first=1\ndeal.deck: {deck}\n\nA take:1:1:1:0\n")
    view = json.loads(run("replay", str(file), "--view", "none"))
    assert view["market"][0] == ["G02", "G03", "G04", "G13"]
    assert run("replay", str(file), "--view", "none") == run("replay", str(file), "--view", "none")
    assert run("legal", str(file)).startswith("A ")
    file.write_text(file.read_text().replace("G13", "G99"))
    assert "G99" in run("replay", str(file), code=1)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "game: missing"),
        ("game: hanging_gardens\nseats: two\n", "not a number"),
        ("game: hanging_gardens\nseats: 7\n", "is for 1 to 5"),
        ("game: chess\nseats: 2\n", "no game is called chess"),
        ("game: hanging_gardens\nseats: 2\nedition: lost\n", "edition lost"),
        ("game: hanging_gardens\nseats: 2\nedition: ../../secret\n", "edition"),
        ("\x00\x01", "this is no text"),
        ("hello\n", "line 1: neither a header"),
    ],
)
def test_a_file_that_is_no_recorded_game_is_refused(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "bad.game"
    file.write_text(text)
    assert complaint in run("replay", str(file), code=1)


def test_a_file_of_bytes_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "bad.game"
    file.write_bytes(b"\xff\xfe\x00")
    assert "error:" in run("replay", str(file), code=1)

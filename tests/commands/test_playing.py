"""The commands that need no database: what they print, and how they say no."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from app import games
from app.commands import console

GAMES = sorted(games.games())
runner = CliRunner()


def run(*words: str, code: int = 0) -> str:
    done = runner.invoke(console, list(words))
    assert done.exit_code == code, done.output
    return done.output


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    file = tmp_path / "one.game"
    run("play", "hanging_gardens", "--seats", "2", "--seed", "7", "--record", str(file))
    return file


@pytest.mark.parametrize("slug", GAMES)
def test_a_game_is_played_recorded_and_verified(slug: str, tmp_path: Path) -> None:
    file = tmp_path / "whole.game"
    seats = str(games.games()[slug].seats[-1])
    sheet = run("play", slug, "--seats", seats, "--bots", "random", "--seed", "x", "--record", str(file))
    assert "total" in sheet
    said = run("replay", str(file))
    assert "all legal; over" in said
    assert sheet.strip() in said


def test_the_output_depends_on_the_arguments_alone(tmp_path: Path) -> None:
    files = [tmp_path / "one.game", tmp_path / "two.game"]
    outputs = [
        run(
            "play", "hanging_gardens", "--seats", "3", "--bots", "greedy,random", "--seed", "5", "--record", str(file)
        )
        for file in files
    ]
    assert outputs[0] == outputs[1]
    assert files[0].read_bytes() == files[1].read_bytes()
    assert outputs[0] != run("play", "hanging_gardens", "--seats", "3", "--bots", "greedy,random", "--seed", "6")


def test_machines_get_json(recorded: Path) -> None:
    played = json.loads(run("play", "hanging_gardens", "--seats", "2", "--seed", "7", "--json"))
    verified = json.loads(run("replay", str(recorded), "--json"))
    assert played["scores"] == verified["scores"]
    assert [score["seat"] for score in played["scores"]] == [0, 1]
    assert sum(played["scores"][0]["parts"].values()) == played["scores"][0]["total"]
    assert verified["over"] is True
    assert verified["waiting"] == []


def test_an_option_is_chosen_and_a_bad_one_refused() -> None:
    run("play", "hanging_gardens", "--seats", "1", "--options", "difficulty=hard")
    assert "easy, normal, hard" in run(
        "play", "hanging_gardens", "--seats", "1", "--options", "difficulty=none", code=1
    )
    assert "name=value" in run("play", "hanging_gardens", "--options", "difficulty", code=1)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("play", "chess"), "no game is called chess"),
        (("play", "hanging_gardens", "--seats", "9"), "1 to 5 seats"),
        (("play", "hanging_gardens", "--bots", "genius"), "no bot is called genius"),
        (("play", "hanging_gardens", "--record", "/nowhere/at/all.game"), "No such file"),
    ],
)
def test_a_refusal_is_one_line_and_an_exit_code(words: tuple[str, ...], complaint: str) -> None:
    said = run(*words, code=1)
    assert complaint in said
    assert said.startswith("error: ")
    assert said.count("\n") == 1


def test_the_legal_actions_at_a_moment_are_listed(recorded: Path) -> None:
    at_first = run("legal", str(recorded), "--until", "0").splitlines()
    first = next(line for line in recorded.read_text().splitlines() if line[:2] in {"A ", "B "})
    assert first in at_first
    assert run("legal", str(recorded)) == "the game is over: nobody has anything to choose\n"


def test_a_view_shows_what_a_seat_knows(recorded: Path) -> None:
    view = json.loads(run("replay", str(recorded), "--until", "3", "--view", "A"))
    nobody = json.loads(run("replay", str(recorded), "--until", "3", "--view", "none"))
    assert view["seat"] == 0
    assert nobody["seat"] is None
    assert isinstance(view["deck"], int)
    for seat in ("C", "Z", "-1", "7", "AB"):
        assert "no seat" in run("replay", str(recorded), "--view", seat, code=1)


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


def test_scores_that_are_not_those_of_the_rules_are_named(recorded: Path, tmp_path: Path) -> None:
    bad = tmp_path / "bad.game"
    bad.write_text(recorded.read_text().replace("score A ", "score A 1"))
    assert "the rules say" in run("replay", str(bad), code=1)


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
        ("\x00\x01", "neither a header"),
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


def test_help_names_every_command() -> None:
    said = run("--help")
    for name in ("serve", "bots", "play", "replay", "legal", "bench", "replay-check", "make-admin", "migrate"):
        assert name in said
        assert run(name, "--help")


def test_the_rules_are_measured() -> None:
    said = run("bench", "hanging_gardens", "--matches", "1", "--seconds", "0.05")
    assert "steps/s" in said
    assert "beats" in said

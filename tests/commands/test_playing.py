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
            "play", "hanging_gardens", "--seats", "2", "--bots", "greedy,random", "--seed", "5", "--record", str(file)
        )
        for file in files
    ]
    assert outputs[0] == outputs[1]
    assert files[0].read_bytes() == files[1].read_bytes()
    assert outputs[0] != run("play", "hanging_gardens", "--seats", "2", "--bots", "greedy,random", "--seed", "6")


def test_a_game_is_written_to_the_standard_output_and_its_sheet_beside_it(tmp_path: Path) -> None:
    file = tmp_path / "one.game"
    words = ("play", "hanging_gardens", "--seed", "7")
    sheet = run(*words, "--record", str(file))
    done = runner.invoke(console, [*words, "--record", "-"])
    assert done.stdout == file.read_text()
    assert done.stderr == sheet
    machines = runner.invoke(console, [*words, "--record", "-", "--json"])
    assert machines.stdout == file.read_text()
    assert json.loads(machines.stderr)["seed"] == "7"


def test_a_game_alone_is_judged_in_words() -> None:
    words = ("play", "hanging_gardens", "--seats", "1", "--bots", "greedy", "--seed", "0")
    verdict = json.loads(run(*words, "--json"))["scores"][0]["verdict"]
    told = {
        "talk": "The talk of Babylon",
        "wonder": "A wonder of the world",
        "worthy": "Worthy of the king and queen",
    }
    assert run(*words).splitlines()[-1] == f"verdict     {told[verdict]}"


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
        (
            ("play", "hanging_gardens", "--bots", "greedy,random,random"),
            "3 kinds of bots for 2 seats: name one",
        ),
        (("play", "hanging_gardens", "--seats", "3", "--bots", "greedy,random"), "2 kinds of bots for 3 seats"),
        (("play", "hanging_gardens", "--bots", ""), "no bot is called"),
        (
            ("play", "hanging_gardens", "--record", "/nonexistent/x"),
            "/nonexistent/x cannot be written: there is no folder /nonexistent\n",
        ),
        (("play", "hanging_gardens", "--record", "/"), "/ cannot be written: is a directory\n"),
        (("play", "hanging_gardens", "--record", "/nowhere/at/all.game"), "there is no folder /nowhere/at"),
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


def test_help_names_every_command() -> None:
    said = run("--help")
    for name in ("serve", "bots", "play", "replay", "legal", "bench", "replay-check", "make-admin", "migrate"):
        assert name in said
        assert run(name, "--help")


def test_the_rules_are_measured() -> None:
    said = run("bench", "hanging_gardens", "--matches", "1", "--seconds", "0.05")
    assert "steps/s" in said
    assert "beats" in said

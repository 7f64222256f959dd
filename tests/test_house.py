"""The house is in order: what is written about it is so, and nothing lies where it should not."""

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
import typer

from app.commands import console
from app.config import Settings
from app.engine import record
from app.games import games, load, part
from app.i18n import DEFAULT, LANGUAGES
from app.web.drawing import draw
from tests import messages

ROOT = Path(__file__).parent.parent
GAMES = sorted(games())
DOCS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SCRIPTS = sorted((ROOT / "static" / "js").glob("*.js"))
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
NOT_OURS = ("static/vendor/", "tests/vendor/")
OTHER_LANGUAGES = [language for language in LANGUAGES if language != DEFAULT]

every_game = pytest.mark.parametrize("slug", GAMES)


def name_of(path: Path) -> str:
    """A path as it is written: from the root."""
    return path.relative_to(ROOT).as_posix()


# ---- imports


def test_imports_point_downwards_and_rules_are_pure() -> None:
    linter = Path(sys.executable).with_name("lint-imports")
    done = subprocess.run([linter, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


# ---- games


@every_game
def test_a_game_has_its_folder_everywhere(slug: str) -> None:
    rules = ROOT / "app" / "games" / slug
    wanted = [
        *(rules / name for name in ("RULES.md", "editions/house.toml", "rules.py", "board.py", "bots.py")),
        *(
            ROOT / "templates" / "games" / slug / f"{name}.html"
            for name in ("_words", "_log", "_refusals", "table", "consequence", "rules", "rules/contents")
        ),
        *(ROOT / "templates" / "games" / slug / f"{name}.html" for name in ("round", "action", "choices", "pieces")),
        *(ROOT / "static" / "games" / slug / name for name in ("sprites.svg", "cover.svg", "board.css")),
        ROOT / "tests" / "games" / slug / "__init__.py",
        *(
            ROOT / "app" / "locale" / language / f"{name}.po"
            for language in OTHER_LANGUAGES
            for name in (slug, f"{slug}_rules")
        ),
    ]
    assert [name_of(path) for path in wanted if not path.is_file()] == []
    assert list((ROOT / "tests" / "games" / slug).glob("test_*.py"))


@pytest.mark.parametrize("under", ["templates", "static", "tests"])
def test_no_folder_belongs_to_a_game_that_is_not_there(under: str) -> None:
    folders = [path.name for path in (ROOT / under / "games").iterdir() if path.is_dir() and path.name[0] != "_"]
    assert set(folders) == set(GAMES)


@every_game
def test_a_game_has_recorded_games_that_hold(slug: str) -> None:
    recorded = sorted((ROOT / "tests" / "games" / slug / "recorded").glob("*.game"))
    assert recorded
    for path in recorded:
        read = record.read(path.read_text(encoding="utf-8"))
        assert read.game == slug
        assert record.replay(load(slug, read.edition), read).over, path.name


def cited(slug: str) -> dict[str, str]:
    """The paragraphs that a game's refusals rest on, and where they are cited."""
    found = {}
    for path in sorted((ROOT / "app" / "games" / slug).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Broken":
                rules = [*node.args[1:2], *(keyword.value for keyword in node.keywords if keyword.arg == "rule")]
                for rule in rules:
                    place = f"{name_of(path)}:{node.lineno}"
                    assert isinstance(rule, ast.Constant), f"{place}: write the paragraph down, so that it is found"
                    if rule.value:
                        found[str(rule.value)] = place
    return found


def anchors(slug: str, language: str) -> set[str]:
    """Every id of a game's rules page."""
    game = load(slug)
    page = draw(
        language,
        "rules/page.html",
        me=None,
        path="/",
        here=0,
        slug=slug,
        games=tuple(GAMES),
        box=game.box,
        faces=part(slug, "board").box(game),
        edition=game.edition,
    )
    return set(re.findall(r'\bid="([^"]+)"', page))


@every_game
def test_every_paragraph_that_a_refusal_cites_is_in_the_rules(slug: str) -> None:
    text = (ROOT / "app" / "games" / slug / "RULES.md").read_text(encoding="utf-8")
    numbers = set(re.findall(r"^(?:#+ |\*\*)(\d+(?:\.\d+)*)(?:\*\*)? ", text, re.MULTILINE))
    places = cited(slug)
    assert places
    assert {rule: place for rule, place in places.items() if rule not in numbers} == {}
    for language in LANGUAGES:
        ids = anchors(slug, language)
        assert {rule: place for rule, place in places.items() if f"r{rule}" not in ids} == {}


@pytest.mark.parametrize("language", OTHER_LANGUAGES)
def test_a_sentence_is_translated_alike_wherever_it_stands(language: str) -> None:
    """All catalogues of a language are one to a reader (``app/i18n.py``): the last one would win."""
    known: dict[Any, tuple[Any, str]] = {}
    for name in sorted(messages.extracted()):
        for message in messages.translated(language, name):
            if message.id:
                key = (message.id, message.context)
                string, where = known.setdefault(key, (message.string, name))
                assert message.string == string, f"{message.id!r} in {name}.po and {where}.po"


# ---- settings and commands


def documented_settings() -> dict[str, str]:
    """Every setting of docs/configuration.md with its default."""
    text = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| (\S+) \| .+ \|$", text, re.MULTILINE)
    assert len(dict(rows)) == len(rows)
    return dict(rows)


def written(value: object) -> str:
    """A default as the table says it."""
    if value in ("", ()):
        return "empty"
    if isinstance(value, Path):
        return f"`{name_of(value)}`"
    if isinstance(value, float):
        return f"`{value:g}`"
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def test_every_setting_is_documented_with_its_default_and_nothing_else_is() -> None:
    prefix = Settings.model_config["env_prefix"]
    settings = {
        str(field.validation_alias or f"{prefix}{name}".upper()): written(field.default)
        for name, field in Settings.model_fields.items()
    }
    assert documented_settings() == settings


def test_every_command_is_documented() -> None:
    group = typer.main.get_command(console)
    assert isinstance(group, typer.core.TyperGroup)
    assert len(group.commands) > 5
    text = "\n".join(path.read_text(encoding="utf-8") for path in DOCS)
    assert [name for name in group.commands if not re.search(rf"python -m app {re.escape(name)}\b", text)] == []


# ---- what is not ours


@pytest.mark.parametrize("name", NOT_OURS)
def test_vendored_files_are_what_they_are_said_to_be(name: str) -> None:
    folder = ROOT / name
    packages = tomllib.loads((folder / "VENDOR.toml").read_text(encoding="utf-8"))["package"]
    said: dict[str, str] = {}
    for package in packages:
        assert all(package[key] for key in ("name", "version", "licence", "source"))
        said |= {name: file["sha256"] for name, file in package["files"].items()}
        assert any("LICENSE" in name for name in package["files"])
    is_there = {path.name: sha256(path.read_bytes()).hexdigest() for path in folder.iterdir()}
    del is_there["VENDOR.toml"]
    assert said == is_there


@cache
def tracked() -> tuple[Path, ...]:
    """Every file of the project; without git, all that lies in its folders."""
    done = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode == 0 and done.stdout:
        return tuple(path for name in done.stdout.split("\0") if name and (path := ROOT / name).is_file())
    folders = ("app", "bench", "docs", "migrations", "static", "templates", "tests")
    inside = [path for folder in folders for path in sorted((ROOT / folder).rglob("*"))]
    return tuple(path for path in (*ROOT.iterdir(), *inside) if path.is_file() and "__pycache__" not in path.parts)


def lines(pattern: str) -> Iterator[str]:
    """Where a pattern is found in the text of our files."""
    for path in tracked():
        name = name_of(path)
        if name.startswith(NOT_OURS):
            continue
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), start=1):
            if re.search(pattern, line):
                yield f"{name}:{number}: {line.strip()[:120]}"


def test_no_file_names_the_host_of_a_package_registry() -> None:
    hosts = (
        r"pypi\.org", r"pythonhosted\.org", r"npmjs\.(?:org|com)", r"yarnpkg\.com", r"unpkg\.com", r"jsdelivr\.net",
        r"cdnjs\.\w+", r"crates\.io", r"rubygems\.org", r"proxy\.golang\.org", r"debian\.org", r"docker\.io",
        r"ghcr\.io", r"index-url",
    )  # fmt: skip
    ours = f"{name_of(Path(__file__))}:"
    assert [line for line in lines("|".join(hosts)) if "--no-emit-index-url" not in line and ours not in line] == []


def test_no_file_names_a_folder_of_one_machine() -> None:
    found = [line for line in lines(r"(?<![\w.}/])/(?:work|home|root|Users)/\w") if "/test_house.py:" not in line]
    found += [line for line in lines(r"(?<![\w.}/])/tmp/") if not line.startswith("tests/")]
    assert found == []


# ---- known faults


def known_faults() -> list[tuple[str, str, str]]:
    """The rows of docs/known-faults.md: number, fault, where it is tried."""
    text = (ROOT / "docs" / "known-faults.md").read_text(encoding="utf-8")
    return re.findall(r"^\| (A\d+) \| (.+?) \| (.+?) \|$", text, re.MULTILINE)


@cache
def functions(file: str) -> set[str]:
    """The tests of a file."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)}


def test_every_known_fault_is_listed_once() -> None:
    assert [number for number, _, _ in known_faults()] == [f"A{number}" for number in range(1, 26)]


@pytest.mark.parametrize("number", [number for number, _, _ in known_faults()])
def test_a_known_fault_is_tried_or_waits_for_what_is_not_built(number: str) -> None:
    where = next(where for each, _, where in known_faults() if each == number)
    tests = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", where)
    assert tests or where.startswith("waits for ")
    assert where.count("::") == len(tests)
    assert [name for file, name in tests if not (ROOT / file).is_file() or name not in functions(file)] == []


# ---- scripts, templates and documents


@pytest.mark.parametrize("path", SCRIPTS, ids=[path.name for path in SCRIPTS])
def test_a_script_is_short_and_checked_by_its_types(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("// @ts-check\n")
    assert len(text.splitlines()) < 150


@pytest.mark.parametrize("path", TEMPLATES, ids=[name_of(path) for path in TEMPLATES])
def test_a_template_has_no_inline_script_and_no_inline_style(path: Path) -> None:
    text = re.sub(r"\{%.*?%\}|\{#.*?#\}|\{\{.*?\}\}", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert not re.search(r"<style\b|<script\b(?![^>]*\bsrc=)|javascript:", text)
    assert not re.findall(r"\s(?:style|on\w+|hx-on[\w:-]*)\s*=", text)


def links(path: Path) -> Iterator[str]:
    """What a document links to, but other sites."""
    text = re.sub(r"```.*?```|`[^`\n]*`", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not re.match(r"[a-z]+:", target):
            yield target


def headings(path: Path) -> Counter[str]:
    """The anchors of a document's headings."""
    found = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return Counter(re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in found)


@pytest.mark.parametrize("path", [path for path in TEMPLATES if "rules" not in path.parts], ids=name_of)
def test_what_is_chosen_or_opened_in_a_zone_has_an_id(path: Path) -> None:
    """Without one it would be shut, or chosen otherwise, whenever the zone is drawn anew (``kept.js``)."""
    text = path.read_text(encoding="utf-8")
    if 'id="zone-' not in text:
        return
    found = re.findall(r"<(?:details|input type=\"(?:radio|checkbox)\")\b[^>]*", text)
    assert [each for each in found if " id=" not in each] == []


@pytest.mark.parametrize("path", DOCS, ids=[name_of(path) for path in DOCS])
def test_a_document_links_to_what_is_there(path: Path) -> None:
    for target in links(path):
        file, _, anchor = target.partition("#")
        there = (path.parent / file).resolve() if file else path
        assert there.exists(), target
        assert not anchor or anchor in headings(there), target


def test_no_board_moves_for_ever() -> None:
    """What calls for a move calls for half a minute and then rests: a page left open costs no battery."""
    sheets = sorted((ROOT / "static").rglob("*.css"))
    moving = {sheet.name: re.findall(r"animation: ([\w-]+)[^;}]*\binfinite\b", sheet.read_text()) for sheet in sheets}
    assert {name: found for name, found in moving.items() if found} == {"site.css": ["turn"]}

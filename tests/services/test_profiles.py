"""Profiles: games, results and ratings, and nothing of a private table to those who did not sit there."""

import pytest
from sqlalchemy import text

from app.services import preferences, profiles
from app.services.accounts import Me, recognise, welcome
from app.services.errors import BadChoice, NoSuchPerson
from app.services.preferences import Preferences
from app.services.ratings import newcomer
from app.services.server import Server
from tests.conftest import account, person
from tests.services.endings import ended, rating_of


@pytest.fixture
async def carol(server: Server) -> Me:
    return await account(server, "Carol")


async def test_a_profile_tells_games_places_and_ratings(server: Server, carol: Me, bob: Me, eve: Me) -> None:
    for ranks in ([1, 2, 3], [2, 1, 3], [1, 3, 2], [3, 1, 2]):
        await ended(server, [carol, bob, eve], ranks)
    await ended(server, [carol, None], [1, 2])
    await ended(server, [carol], [1])
    found = await profiles.show(server, None, name="ＣAROL")
    assert (found.name, found.guest, found.own) == ("Carol", False, False)
    assert (found.games, found.together, found.won) == (6, 4, 2)
    assert found.places == (2, 1, 1)
    [progress] = found.progress
    stored = await rating_of(server, carol)
    assert stored is not None
    assert progress.rating == profiles.shown(stored[0])
    assert (progress.games, len(progress.history)) == (4, 4)
    assert progress.best == max(progress.history)
    assert progress.change == progress.history[-1] - progress.history[-2]
    assert [each.rank for each in found.ended] == [1, 1, 3, 1, 2, 1]
    assert [each.change is None for each in found.ended] == [True, True, False, False, False, False]
    assert found.ended[-1].change == progress.history[0] - profiles.shown(newcomer()[0])
    assert [other.name for other in found.ended[-1].others] == ["Bob", "Eve"]
    assert found.ended[1].others[0].bot
    assert found.sources[0].part == "flowers"


async def test_a_private_table_is_known_to_those_who_sat_there_only(
    server: Server, carol: Me, bob: Me, eve: Me
) -> None:
    await ended(server, [carol, bob], [1, 2], public=False)
    for viewer in (None, eve):
        found = await profiles.show(server, viewer, name="Carol")
        assert (found.games, found.together, found.places) == (0, 0, ())
        assert not (found.ended or found.progress or found.sources or found.slugs)
    for viewer in (bob, carol):
        found = await profiles.show(server, viewer, name="Carol")
        assert [each.secret for each in found.ended] == [True]
        assert found.games == 1


@pytest.mark.parametrize("change", ["hidden = true", "password_hash = 'x'"])
async def test_so_is_a_hidden_one_and_one_with_a_password(server: Server, carol: Me, bob: Me, change: str) -> None:
    await ended(server, [carol, bob], [1, 2])
    assert (await profiles.show(server, None, name="Carol")).games == 1
    async with server.engine.begin() as connection:
        await connection.execute(text(f"UPDATE tables SET {change}"))
    assert (await profiles.show(server, None, name="Carol")).games == 0
    assert (await profiles.show(server, bob, name="Carol")).games == 1


async def test_the_list_of_games_goes_on(server: Server, carol: Me, bob: Me) -> None:
    for _ in range(profiles.PAGE + 5):
        await ended(server, [carol, bob], [1, 2], rated=False)
    first = await profiles.show(server, None, name="Carol")
    assert len(first.ended) == profiles.PAGE
    second = await profiles.show(server, None, name="Carol", before=first.earlier)
    assert len(second.ended) == 5
    assert second.earlier == ""
    assert not {each.key for each in first.ended} & {each.key for each in second.ended}
    for nonsense in ("x", "\x00", "a" * 12, "' OR 1=1"):
        await profiles.show(server, None, name="Carol", before=nonsense)


async def test_results_of_one_game_alone(server: Server, carol: Me, bob: Me) -> None:
    await ended(server, [carol, bob], [1, 2])
    await ended(server, [carol, bob], [2, 1], slug="amyitis")
    found = await profiles.show(server, None, name="Carol", slug="amyitis")
    assert [each.slug for each in found.ended] == ["amyitis"]
    assert found.slugs == ("amyitis", "hanging_gardens")
    assert {each.slug for each in found.progress} == {"amyitis", "hanging_gardens"}


async def test_guests_have_a_profile_for_themselves_only(server: Server, alice: Me) -> None:
    assert (await profiles.show(server, alice)).own
    for name in ("Alice", "", "\x00", "\ud800", "Nobody", "x" * 10_000):
        with pytest.raises(NoSuchPerson):
            await profiles.show(server, None, name=name)


async def test_preferences_are_kept_with_the_person(server: Server) -> None:
    me, token = await welcome(server, name="Alice", language="en")
    wish = Preferences(language="ja", theme="dark", sound=True, time_zone="Asia/Tokyo")
    await preferences.choose(server, me, wish)
    found = await recognise(server, token)
    assert found is not None
    assert (found.language, found.theme, found.sound, found.time_zone) == ("ja", "dark", True, "Asia/Tokyo")
    await preferences.choose_sound(server, me, sound=False)
    found = await recognise(server, token)
    assert found is not None
    assert (found.theme, found.sound) == ("dark", False)


@pytest.mark.parametrize(
    "wish",
    [
        Preferences(language="xx"),
        Preferences(language="en", theme="pink"),
        Preferences(language="en", time_zone="Mars/Olympus"),
        Preferences(language="en", time_zone="../../etc/passwd"),
    ],
)
async def test_what_is_not_offered_cannot_be_chosen(server: Server, wish: Preferences) -> None:
    me = await person(server, "Alice")
    with pytest.raises(BadChoice):
        await preferences.choose(server, me, wish)

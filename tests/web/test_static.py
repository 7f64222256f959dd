"""Static files are kept for ever only under the name of their content."""

import os
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from app.web.drawing import static_url
from app.web.static import FOR_EVER, Static, content_sum
from tests.conftest import Site


async def test_a_file_is_kept_for_ever_under_the_sum_of_its_content_alone(site: Site) -> None:
    client = site.client()
    address = static_url("js/live.js")
    assert (await client.get(address)).headers["cache-control"] == FOR_EVER
    for other in (
        "/static/js/live.js",
        "/static/js/live.js?v=",
        "/static/js/live.js?v=0123456789ab",
        address + "&x=1",
    ):
        assert (await client.get(other)).headers["cache-control"] == "no-cache", other


@pytest.mark.parametrize(
    "path", ["%00", "css/", "../app/main.py", "%2e%2e/app/main.py", "x" * 3000, "nowhere.js?v=1"]
)
async def test_what_is_no_file_of_ours_is_not_there(site: Site, path: str) -> None:
    answer = await site.client().get(f"{site.url}/static/{path}")
    assert answer.status_code == 404
    assert "immutable" not in answer.headers.get("cache-control", "")


async def test_a_file_that_changes_while_the_server_runs_is_not_kept_under_its_old_name(tmp_path: Path) -> None:
    import httpx

    file = tmp_path / "one.css"
    file.write_text("old")
    old = content_sum(file)
    app = Starlette(routes=[Mount("/static", Static(directory=tmp_path))])
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://site") as client:
        assert (await client.get(f"/static/one.css?v={old}")).headers["cache-control"] == FOR_EVER
        file.write_text("new")
        os.utime(file, ns=(1, 1))
        assert (await client.get(f"/static/one.css?v={old}")).headers["cache-control"] == "no-cache"
        assert (await client.get(f"/static/one.css?v={content_sum(file)}")).headers["cache-control"] == FOR_EVER

"""The same load on boardgame.io's server in memory, when Node and its package can be had."""

import asyncio
import json
import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path

PACKAGE = "boardgame.io@0.50.2"
SCRIPT = Path(__file__).parent / "boardgame_io.cjs"


async def measure(*, matches: int, seconds: float) -> list[str]:
    """Its lines, or one that says why there are none."""
    return await asyncio.to_thread(_measure, matches, seconds)


def _measure(matches: int, seconds: float) -> list[str]:
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return ["boardgame.io: not measured, Node is not here"]
    with tempfile.TemporaryDirectory(prefix="boardgame-io-") as folder:
        done = subprocess.run(
            [npm, "install", "--no-audit", "--no-fund", "--loglevel=error", PACKAGE],
            cwd=folder,
            capture_output=True,
            check=False,
        )
        if done.returncode:
            return ["boardgame.io: not measured, its package could not be installed"]
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = str(probe.getsockname()[1])
        environment = {**os.environ, "NODE_ENV": "production"}
        serving = subprocess.Popen(
            [node, str(SCRIPT), "server", port], cwd=folder, env=environment, stdout=subprocess.PIPE
        )
        try:
            assert serving.stdout is not None
            while b"ready" not in serving.stdout.readline():
                if serving.poll() is not None:
                    return ["boardgame.io: not measured, its server ended"]
            load = subprocess.run(
                [node, str(SCRIPT), "load", port, str(matches), str(seconds)],
                cwd=folder,
                env=environment,
                capture_output=True,
                text=True,
                timeout=seconds + 300,
                check=False,
            )
        finally:
            serving.terminate()
            serving.wait()
        if load.returncode:
            return [f"boardgame.io: not measured: {load.stderr.strip().splitlines()[-1:]}"]
        found = json.loads(load.stdout.splitlines()[-1])
        return [
            f"boardgame.io in memory, {matches} matches, {matches * 4} sockets, as fast as can be: "
            f"{found['moves'] / seconds:,.0f} moves/s, median {found['p50']:.0f} ms, p95 {found['p95']:.0f} ms, "
            f"p99 {found['p99']:.0f} ms"
        ]

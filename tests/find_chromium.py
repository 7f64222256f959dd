"""Finds the Chromium that the browser tests need, or installs one; says clearly when it cannot.

``python tests/find_chromium.py`` prints its path.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

SHELL = "chromium-headless-shell"
"""Chromium without its windows, which the tests do not look at: half the work."""
NAMES = (SHELL, "chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
FONTS = "fonts-noto-cjk"


def found() -> str | None:
    """The path of a browser that is here already: ``SEMIRAMIS_CHROMIUM``, one on the path, or Playwright's own."""
    given = os.environ.get("SEMIRAMIS_CHROMIUM")
    if given:
        return given
    for name in NAMES:
        path = shutil.which(name)
        if path:
            return path
    caches = (Path.home() / ".cache" / "ms-playwright", Path.home() / "Library" / "Caches" / "ms-playwright")
    for cache in caches:
        for file in sorted(cache.glob("chromium-*/chrome-*/*")):
            if file.name in {"chrome", "Chromium.app"}:
                return str(file / "Contents/MacOS/Chromium" if file.name.endswith(".app") else file)
    return None


def ran(*command: str) -> bool:
    """Whether a command could be run and went well."""
    try:
        return subprocess.run(command, check=False, stdout=sys.stderr, timeout=600).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def install() -> str | None:
    """Installs a browser: with Debian's packages as their owner, else with Playwright's download."""
    if shutil.which("apt-get") and os.geteuid() == 0:
        os.environ["DEBIAN_FRONTEND"] = "noninteractive"
        for package in (SHELL, "chromium"):
            if ran("apt-get", "install", "-y", "-qq", package, FONTS):
                break
            ran("apt-get", "update", "-qq")
            if ran("apt-get", "install", "-y", "-qq", package, FONTS):
                break
    if not found():
        ran(sys.executable, "-m", "playwright", "install", "--with-deps", "chromium")
    return found()


if __name__ == "__main__":
    light = bool(os.environ.get("SEMIRAMIS_CHROMIUM") or shutil.which(SHELL))
    chromium = (found() if light else None) or install()
    if chromium is None:
        sys.exit(
            "No Chromium was found, and none could be installed. Install one (Debian: apt-get install chromium "
            f"{FONTS}) or name it in SEMIRAMIS_CHROMIUM; the browser tests need it."
        )
    print(f"browser tests use {chromium}")

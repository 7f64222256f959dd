"""Keeps alive what the server stands on: our own Postgres, and the process that plays the bots."""

import logging
import subprocess
import sys
import time
from contextlib import suppress
from os import getpid
from threading import Event, Thread

from app.db.embedded import Cluster, ClusterDown

PULSE = 0.5
SHORT = 10.0
"""A process that ends sooner is started again more and more slowly."""
LONGEST_WAIT = 30.0
logger = logging.getLogger("app.commands")


class Keeper:
    """Starts the bots, looks after them and after the cluster, and starts again what was killed."""

    def __init__(self, cluster: Cluster | None, *, bots: bool) -> None:
        self._cluster = cluster
        self._with_bots = bots
        self._bots: subprocess.Popen[bytes] | None = None
        self._began = self._next = 0.0
        self._wait = PULSE
        self._down = False
        self._ended = Event()
        self._thread = Thread(target=self._keep, name="keeper", daemon=True)

    def start(self) -> None:
        """Begins."""
        if self._with_bots:
            self._start_bots()
        self._thread.start()

    def stop(self) -> None:
        """Ends looking after things, and the bots."""
        self._ended.set()
        self._thread.join()
        if self._bots is not None:
            self._bots.terminate()
            try:
                self._bots.wait(10)
            except subprocess.TimeoutExpired:
                self._bots.kill()
                self._bots.wait()

    def _keep(self) -> None:
        while not self._ended.wait(PULSE):
            try:
                self._look_after_the_cluster()
                self._look_after_the_bots()
            except Exception:
                logger.exception("what the server stands on could not be looked after")

    def _look_after_the_cluster(self) -> None:
        if self._cluster is None or self._cluster.runs:
            return
        if not self._down:
            logger.warning("our Postgres ended; it is started again")
        self._down = True
        with suppress(ClusterDown):
            self._cluster.start_again()
            logger.warning("our Postgres runs again")
            self._down = False

    def _look_after_the_bots(self) -> None:
        """A process that ended well was asked to; any other is started again."""
        if self._bots is None or not self._bots.poll():
            return
        now = time.monotonic()
        if not self._next:
            self._wait = min(self._wait * 2, LONGEST_WAIT) if now - self._began < SHORT else PULSE
            self._next = now + self._wait
            logger.warning("the bots ended (%s); they are started again", self._bots.returncode)
        if now >= self._next:
            self._start_bots()

    def _start_bots(self) -> None:
        self._bots = subprocess.Popen([sys.executable, "-m", "app", "bots", "--with", str(getpid())])
        self._began, self._next = time.monotonic(), 0.0

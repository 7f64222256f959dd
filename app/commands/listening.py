"""The address that the server listens on: whether it is free, and saying it once pages come from there."""

import errno
import socket
from http.client import HTTPConnection, HTTPException
from threading import Event, Thread

import typer

from app.commands.console import refuse

OFTEN = 0.1
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}
"""Where a server that listens at all addresses of a machine is reached from that machine."""


def check_free(host: str, port: int) -> None:
    """Ends the command with one line when nothing can listen there."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            probe.listen()
    except OSError as fault:
        if fault.errno == errno.EADDRINUSE:
            other = port + 1 if port < 65_535 else 8000
            refuse(
                f"port {port} is in use, perhaps by another Semiramis; "
                f"choose another one: make run PORT={other} (python -m app serve --port {other})"
            )
        if fault.errno == errno.EACCES:
            refuse(f"port {port} is not for everybody to open; choose a higher one: make run PORT=8000")
        refuse(f"nothing can listen at {host}, port {port} ({fault.strerror or fault}); see HOST=… and PORT=…")


def announce(host: str, port: int) -> Event:
    """Says where the server is as soon as it answers there; until what is given back is set."""
    ended = Event()
    Thread(target=_announce, args=(host, port, ended), name="announcement", daemon=True).start()
    return ended


def _announce(host: str, port: int, ended: Event) -> None:
    while not answers(EVERYWHERE.get(host, host), port):
        if ended.wait(OFTEN):
            return
    shown = "localhost" if host in {"127.0.0.1", *EVERYWHERE} else f"[{host}]" if ":" in host else host
    typer.echo(f"\n  Semiramis is at http://{shown}:{port}\n  Ctrl+C ends it; no game is lost.\n")


def answers(host: str, port: int) -> bool:
    """Whether a server there says that it is alive."""
    connection = HTTPConnection(host, port, timeout=5)
    try:
        connection.request("GET", "/health/live")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()

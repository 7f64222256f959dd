"""Templates that were compiled before, kept in files: a server is there two seconds sooner."""

from contextlib import suppress
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from pickle import UnpicklingError

from jinja2 import FileSystemBytecodeCache
from jinja2.bccache import Bucket

from app.i18n import LOCALE
from app.web import templates


class Compiled(FileSystemBytecodeCache):
    """Those of one language in a folder. What else decides how a template is compiled, its sentences above all, is
    part of the sum by which Jinja knows whether a file is out of date."""

    def __init__(self, folder: Path, language: str) -> None:
        super().__init__(str(folder), f"{language}-%s.cache")
        self._language = language

    def get_source_checksum(self, source: str) -> str:
        """The sum of a template and of all that it is compiled with."""
        return sha256(f"{compiler(self._language)} {source}".encode()).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        """Finds a template, unless its file is torn or cannot be read."""
        with suppress(OSError, EOFError, UnpicklingError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keeps a template, where that can be: a folder that is full or gone costs time and nothing else."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


@cache
def compiler(language: str) -> str:
    """The sum of what templates are compiled with: Jinja, our changes to it, and the sentences of a language."""
    parts = sorted((LOCALE / language).glob("*.po"))
    sums = [sha256(part.read_bytes()).hexdigest() for part in (Path(templates.__file__), *parts)]
    return " ".join((version("jinja2"), *sums))

"""States as canonical JSON: for digests, goldens and round trips; never stored as truth."""

from functools import cache
from hashlib import sha256
from typing import Any, TypeVar

import msgspec

S = TypeVar("S", bound=msgspec.Struct)

_encoder = msgspec.json.Encoder(order="deterministic")


@cache
def _decoder(kind: type[msgspec.Struct]) -> msgspec.json.Decoder[Any]:
    return msgspec.json.Decoder(kind)


def encode(value: msgspec.Struct) -> bytes:
    """The value as JSON; equal values give equal bytes, in every process."""
    return _encoder.encode(value)


def decode(kind: type[S], data: bytes) -> S:
    """The value of type ``kind`` that ``data`` writes. Raises ``msgspec.ValidationError``."""
    value: S = _decoder(kind).decode(data)
    return value


def digest(value: msgspec.Struct) -> str:
    """Sixteen hex digits that tell one state from another."""
    return sha256(encode(value)).hexdigest()[:16]

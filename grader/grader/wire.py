"""Messages between the tests and a student's code, which run in two processes: plain data only,
never pickled objects.

Numbers, strings, arrays and containers cross by value. Any other object stays where it is, and a
handle crosses instead.
"""

import base64
import json
import os
import select
import time
from array import array
from collections import deque
from decimal import Decimal
from fractions import Fraction

import numpy as np

REQUEST = 2**25  # bytes of a message of the tests
OUTPUTS = 2**24  # of the answer with the outputs of a cell
VALUE = 2**21  # of any other answer
AT_ONCE = 2**20  # bytes to read
PARTS = 2**18  # numbers, strings and containers in one message


class Closed(Exception):
    """The other side is gone."""


class Slow(Exception):
    """The other side did not answer in time."""


class Broken(Exception):
    """The other side sent something that is no message."""


class Channel:
    """Messages over a pair of pipes: four bytes of length, then JSON."""

    def __init__(self, reads: int, writes: int):
        self.reads, self.writes, self.came = reads, writes, bytearray()

    def send(self, message, largest: int = REQUEST):
        data = json.dumps(message).encode()
        if len(data) > largest or parts(data) > PARTS:
            raise Broken(f"{len(data)} bytes with {parts(data)} values are too much")
        data = len(data).to_bytes(4, "big") + data
        while data:
            try:
                data = data[os.write(self.writes, data) :]
            except BrokenPipeError:
                raise Closed from None

    def receive(self, deadline: float | None = None, watch=lambda: None, largest: int = REQUEST):
        """Return the next message; `watch` is called all the time while it comes."""
        length = int.from_bytes(self._read(4, deadline, watch), "big")
        if length > largest:
            raise Broken(f"{length} bytes are too much")
        data = self._read(length, deadline, watch)
        if parts(data) > PARTS:  # each takes far more room than its bytes
            raise Broken(f"{parts(data)} values in one message are too much")
        try:
            message = json.loads(data)
        except (ValueError, RecursionError) as error:
            raise Broken(f"a message is not JSON: {error}") from None
        if not isinstance(message, dict):
            raise Broken("a message is not an object")
        return message

    def _read(self, size, deadline, watch):
        """Return the next bytes; what comes with them is kept for the next call."""
        while len(self.came) < size:
            if deadline is not None:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise Slow
                watch()
                if not select.select([self.reads], [], [], min(left, 0.2))[0]:
                    continue
            piece = os.read(self.reads, AT_ONCE)
            if not piece:
                raise Closed
            self.came += piece
        data, self.came = bytes(self.came[:size]), self.came[size:]
        return data


def largest(what: str) -> int:
    """Return how many bytes the answer to a request may have."""
    return OUTPUTS if what == "run" else VALUE


def parts(data: bytes) -> int:
    """Return how many values a message holds at most, without reading it."""
    return sum(map(data.count, (b",", b"[", b"{")))


def pack(value, handle):
    """Return the value as JSON can hold it; `handle` turns any object that is no plain data into a
    handle.
    """

    def inner(v):
        return pack(v, handle)

    if value is None or type(value) in (bool, int, float, str):
        return value
    if type(value) is list:
        return [inner(v) for v in value]
    if hasattr(value, "predict"):  # a learner, whatever it inherits from
        return {"handle": handle(value)}
    for kind, mark, parts in CONTAINERS if type(value) is not np.ndarray else ():
        if isinstance(value, kind):
            return {mark: [inner(v) for v in parts(value)]}
    if isinstance(value, np.ndarray | np.generic) or (
        hasattr(value, "__array__") and not isinstance(value, type)
    ):
        a = np.asarray(value)
        if a.dtype.kind in "biufc":
            data = base64.b64encode(a.tobytes()).decode()
            return {
                "array": [
                    a.dtype.str,
                    list(a.shape),
                    data,
                    isinstance(value, np.generic),
                    a.flags.writeable,
                ]
            }
        if a.dtype.kind in "OU":
            return {"objects": [list(a.shape), [inner(v) for v in a.ravel().tolist()]]}
    if all(hasattr(type(value), name) for name in ("__len__", "__getitem__")):
        return {"list": [inner(v) for v in value]}  # a sequence that a student made
    if hasattr(type(value), "__float__") or hasattr(type(value), "__index__"):
        return {"float": [repr(float(value))]}  # and a number
    return {"handle": handle(value)}


def unpack(packed, handle):
    """Return the value of a packed one; `handle` makes the object that stands for a handle."""
    if isinstance(packed, list):
        return [unpack(v, handle) for v in packed]
    if not isinstance(packed, dict):
        return packed
    ((mark, parts),) = packed.items()
    if mark == "handle":
        return handle(parts)
    if mark == "array":
        return _array(*parts)
    if mark == "objects":
        a = np.empty(len(parts[1]), object)
        a[:] = [unpack(v, handle) for v in parts[1]]
        return a.reshape(parts[0])
    return MAKERS[mark](*(unpack(v, handle) for v in parts))


def _array(dtype, shape, data, scalar, writeable):
    if np.dtype(dtype).kind not in "biufc":
        raise Broken(f"an array of {dtype}")
    a = np.frombuffer(base64.b64decode(data), dtype).reshape(shape).copy()
    a.flags.writeable = bool(writeable)
    return a[()] if scalar else a


def _dict(*items):
    return dict(zip(items[::2], items[1::2], strict=True))


def _fraction(f):
    """Return numerator and denominator, of which very long ones are cut to 39 digits: the product
    of four hundred factors has thousands, and each of its digits would cross.
    """
    cut = max(0, min(f.numerator.bit_length(), f.denominator.bit_length()) - 128)
    return [f.numerator >> cut, f.denominator >> cut]


CONTAINERS = [  # type, mark, its parts; MAKERS puts them together again
    (tuple, "tuple", list),
    ((list, deque, array, bytes, bytearray), "list", list),
    (dict, "dict", lambda d: [part for item in d.items() for part in item]),
    ((set, frozenset), "set", list),
    (range, "range", lambda r: [r.start, r.stop, r.step]),
    (Fraction, "fraction", _fraction),
    (Decimal, "decimal", lambda d: [str(d)]),
    (complex, "complex", lambda c: [c.real, c.imag]),
    (float, "float", lambda f: [float.__repr__(f)]),
    (int, "int", lambda i: [int.__repr__(i)]),
    (str, "str", lambda s: [str.__str__(s)]),
]
MAKERS = {
    "tuple": lambda *v: v,
    "list": lambda *v: list(v),
    "dict": _dict,
    "set": lambda *v: set(v),
    "range": range,
    "fraction": Fraction,
    "decimal": Decimal,
    "complex": complex,
    "float": float,
    "int": int,
    "str": str,
}

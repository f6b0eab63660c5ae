"""Messages between the tests and a student's code, which run in two processes: plain data only, never pickled objects.

Numbers, strings, arrays and containers cross by value. Any other object stays where it is, and a handle crosses instead.
"""

import base64
import json
import os
import select
import time
from fractions import Fraction

import numpy as np

LARGEST = 2**25  # bytes of one message


class Closed(Exception):
    """The other side is gone."""


class Slow(Exception):
    """The other side did not answer in time."""


class Broken(Exception):
    """The other side sent something that is no message."""


class Channel:
    """Messages over a pair of pipes: four bytes of length, then JSON."""

    def __init__(self, reads: int, writes: int):
        self.reads, self.writes = reads, writes

    def send(self, message):
        data = json.dumps(message).encode()
        if len(data) > LARGEST:
            raise Broken(f"a message of {len(data)} bytes is too long")
        data = len(data).to_bytes(4, "big") + data
        while data:
            try:
                data = data[os.write(self.writes, data):]
            except BrokenPipeError:
                raise Closed from None

    def receive(self, deadline: float | None = None, watch=lambda: None):
        """Return the next message; `watch` is called now and then while there is none."""
        length = int.from_bytes(self._read(4, deadline, watch), "big")
        if length > LARGEST:
            raise Broken(f"a message of {length} bytes is too long")
        try:
            message = json.loads(self._read(length, deadline, watch))
        except (ValueError, RecursionError) as error:
            raise Broken(f"a message is not JSON: {error}") from None
        if not isinstance(message, dict):
            raise Broken("a message is not an object")
        return message

    def _read(self, size, deadline, watch):
        data = bytearray()
        while len(data) < size:
            if deadline is not None:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise Slow
                if not select.select([self.reads], [], [], min(left, 0.2))[0]:
                    watch()
                    continue
            piece = os.read(self.reads, min(size - len(data), 2**20))
            if not piece:
                raise Closed
            data += piece
        return bytes(data)


def pack(value, handle):
    """Return the value as JSON can hold it; `handle` turns any object that is no plain data into a handle."""
    def inner(v):
        return pack(v, handle)
    if value is None or type(value) in (bool, int, float, str):
        return value
    if type(value) is list:
        return [inner(v) for v in value]
    for kind, mark, parts in CONTAINERS:
        if isinstance(value, kind):
            return {mark: [inner(v) for v in parts(value)]}
    if isinstance(value, np.ndarray | np.generic) or (hasattr(value, "__array__") and not isinstance(value, type)):
        array = np.asarray(value)
        if array.dtype.kind in "biufc":
            data = base64.b64encode(array.tobytes()).decode()
            return {"array": [array.dtype.str, list(array.shape), data, isinstance(value, np.generic), array.flags.writeable]}
        if array.dtype.kind in "OU":
            return {"objects": [list(array.shape), [inner(v) for v in array.ravel().tolist()]]}
    return {"handle": handle(value)}


def unpack(packed, handle):
    """Return the value of a packed one; `handle` makes the object that stands for a handle."""
    if isinstance(packed, list):
        return [unpack(v, handle) for v in packed]
    if not isinstance(packed, dict):
        return packed
    (mark, parts), = packed.items()
    if mark == "handle":
        return handle(parts)
    if mark == "array":
        dtype, shape, data, scalar, writeable = parts
        if np.dtype(dtype).kind not in "biufc":
            raise Broken(f"an array of {dtype}")
        array = np.frombuffer(base64.b64decode(data), dtype).reshape(shape).copy()
        array.flags.writeable = bool(writeable)
        return array[()] if scalar else array
    if mark == "objects":
        array = np.empty(len(parts[1]), object)
        array[:] = [unpack(v, handle) for v in parts[1]]
        return array.reshape(parts[0])
    return MAKERS[mark](*(unpack(v, handle) for v in parts))


def _dict(*items):
    return dict(zip(items[::2], items[1::2], strict=True))


CONTAINERS = [  # type, mark, its parts; MAKERS puts them together again
    (tuple, "tuple", list),
    (list, "list", list),
    (dict, "dict", lambda d: [part for item in d.items() for part in item]),
    ((set, frozenset), "set", list),
    (range, "range", lambda r: [r.start, r.stop, r.step]),
    (Fraction, "fraction", lambda f: [f.numerator, f.denominator]),
    (complex, "complex", lambda c: [c.real, c.imag]),
    (float, "float", lambda f: [float.__repr__(f)]),
    (int, "int", lambda i: [int.__repr__(i)]),
    (str, "str", lambda s: [str.__str__(s)]),
]
MAKERS = {"tuple": lambda *v: v, "list": lambda *v: list(v), "dict": _dict, "set": lambda *v: set(v), "range": range,
          "fraction": Fraction, "complex": complex, "float": float, "int": int, "str": str}

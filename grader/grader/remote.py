"""A student's functions and classes as the tests see them: each call runs in the sandbox, and plain
data comes back.
"""

import base64
import builtins
import contextlib
import time
from collections import deque

from . import wire
from .sandbox import Sandbox, by_the_clock

LOOK = 0.5  # seconds between two looks at what all processes of a submission use
GRACE = 3  # seconds to answer after the time is over
START = 60  # seconds to start


class Died(Exception):
    """The student's process is gone; the text says why."""

    def _render_traceback_(self):
        return [str(self)]


class Remote:
    """Stands for an object in the sandbox. It can be called and asked for its attributes; it equals
    nothing but itself.
    """

    def __init__(self, student, number, name, module, methods=()):
        vars(self).update(
            _student=student,
            _number=int(number),
            _methods=set(map(str, methods)),
            _came=None,
            __name__=str(name),
            __module__=str(module),
        )

    def __getattr__(self, name):
        if name.startswith("_") and name != "__mro__":
            raise AttributeError(name)
        if name in self._methods:
            return Method(self, name)
        if self._came and self._came[:2] == (self._student.count, name):
            return self._student.unpack(self._came[2])
        if self._student.called == self._student.count:
            self._student.then = name
        reply = self._student.ask("attribute", self._number, name)
        if "missing" in reply:
            raise AttributeError(f"{self.__name__!r} has no attribute {name!r}")
        if reply.get("method"):
            self._methods.add(name)
            return Method(self, name)
        return self._student.unpack(reply.get("value"))

    def __setattr__(self, name, value):
        raise TypeError(f"a test cannot set attributes of a student's object: {name}")

    def __call__(self, *arguments, **named):
        return self._student.call(self, None, arguments, named)

    def _announce_(self, calls, then):
        """Return a context for just these calls of methods, (name, *arguments), and for a look at
        the attribute `then` after each: one message.
        """
        return self._student.announced(self, calls, then)

    def __repr__(self):
        return f"<{self.__name__} of the student>"


class Method:
    """A method that is looked up and called in one request."""

    def __init__(self, owner, name):
        self.owner, self.__name__ = owner, name

    def __call__(self, *arguments, **named):
        return self.owner._student.call(self.owner, self.__name__, arguments, named)


class Student:
    """The process of one submission, with the `whole` package or without its answers."""

    def __init__(self, sandbox: Sandbox, slot: int, files: dict[str, bytes], whole: bool = False):
        self.sandbox, self.slot, self.files, self.process = sandbox, slot, files, None
        self.whole = whole
        self.count = 0  # of the requests
        self.called = -1  # the number of the last one that was a call
        self.then = None  # the attribute that was asked for right after a call: it comes with calls
        self.ahead = deque()  # calls that were announced: (object, method, arguments), the answer
        self.lost = {}  # why the process was ended, since the last look: {kind: words}
        self.spent = 0.0  # seconds of the processor, in processes that are ended
        self.seen = 0.0  # in this one, at the last look
        self.end = time.monotonic() + by_the_clock(sandbox.limits.total)
        self.start()

    def start(self):
        """Start a fresh process with the submitted files."""
        slot = f"{self.slot}-whole" if self.whole else self.slot
        self.process, self.seen = self.sandbox.start(slot, self.whole), 0.0
        self.looked = time.monotonic()
        self.channel = wire.Channel(self.process.stdout.fileno(), self.process.stdin.fileno())
        self.set_time(START)
        for name, data in self.files.items():
            with contextlib.suppress(OSError):  # a file too many: its own author misses it
                self.ask("write", name, base64.b64encode(data).decode())

    def stop(self):
        """End the process and with it all processes of the sandbox."""
        if self.process is None:
            return
        self.spent += self.seen
        self.process.kill()
        self.process.communicate()
        self.sandbox.clean(self.process)
        self.process = None

    @property
    def late(self):
        """Whether the time of the whole submission is over, by the processor or by the clock."""
        return self.spent + self.seen >= self.sandbox.limits.total or time.monotonic() >= self.end

    def set_time(self, seconds: float):
        """Give the next requests so many seconds of the processor together, and enough by the
        clock.
        """
        self.until = min(time.monotonic() + by_the_clock(seconds), self.end)
        self.budget, self.before = seconds, None

    def ask(self, what, *arguments):
        """Return the reply to a request, or raise the error of the student's code, or Died."""
        if self.process is None:
            raise Died("the code is not running any more")
        if self.ahead:
            raise RuntimeError(f"a test announced other calls than it makes: {what}")
        left = self.until - time.monotonic()
        if left <= 0:
            self._lost("timed out", "the time is over")
        try:
            self.count += 1
            self.channel.send({what: arguments, "limit": [self.budget, left], "id": self.count})
            self.budget = None  # the other side counts on
            reply = self.channel.receive(self.until + GRACE, self._watch, wire.largest(what))
            if reply.pop("id", None) != self.count:
                raise wire.Broken("an answer to no question")
        except wire.Slow:
            self._lost("timed out", "the code did not stop when its time was over and was ended")
        except wire.Closed:
            if self._burst:
                self._lost("out of memory", self._too_large)
            self._lost("crashed", "the code ended its own process")
        except wire.Broken as error:
            self._lost("crashed", f"the code broke the connection to the tests: {error}")
        if "error" in reply:
            self._raise(*reply["error"])
        return reply

    @contextlib.contextmanager
    def announced(self, target, calls, then):
        """Ask for the answers to these calls at once; those that come are given out one by one, as
        the calls are made, and the rest is asked for as ever.
        """
        packed = [[name, wire.pack(arguments, _handle)] for name, *arguments in calls]
        replies, self.then = self.ask("calls", target._number, packed, then).get("replies"), then
        if not isinstance(replies, list) or not all(isinstance(reply, dict) for reply in replies):
            self._lost("crashed", "the code sent an answer that is none")
        made = [(target, name, arguments) for name, *arguments in calls]
        self.ahead.extend(zip(made, replies, strict=False))
        try:
            yield
        finally:
            self.ahead.clear()

    def _announced(self, target, method, arguments):
        """Return the answer to the next call that was announced, which has to be this one."""
        (owner, name, announced), reply = self.ahead.popleft()
        same = list(map(id, arguments)) == list(map(id, announced))
        if not (owner is target and name == method and same):
            raise RuntimeError(f"a test announced {name} and calls {method}")
        self.count += 1
        if "error" in reply:
            self._raise(*reply["error"])
        return reply

    @property
    def _burst(self):
        """Whether the kernel has ended a process for the memory that all of them hold."""
        group = getattr(self.process, "group", None)
        return group is not None and group.burst

    @property
    def _too_large(self):
        return (
            f"all processes together held more than {self.sandbox.limits.memory} MB and were ended"
        )

    def _watch(self):
        """Look by the clock, not only in silence, whether all processes together use too much."""
        if time.monotonic() < self.looked + LOOK:
            return
        self.looked = time.monotonic()
        self.seen, held = self.sandbox.used(self.process.pid)
        self.before = self.seen if self.before is None else self.before
        if held > self.sandbox.limits.memory * 2**20 or self._burst:
            self._lost("out of memory", self._too_large)
        if self.seen - self.before > self.sandbox.limits.cell + GRACE or self.late:
            self._lost("timed out", "the code did not stop when its time was over and was ended")

    def _lost(self, kind, text):
        self.stop()
        self.lost[kind] = text
        raise Died(text)

    def _raise(self, name, text, lines):
        """Raise the error of the student's code as the tests would have met it in the same
        process.
        """
        name, text, lines = (
            str(name)[:100],
            str(text)[:10_000],
            [str(line)[:2000] for line in lines[:200]],
        )
        if name == "TimedOut":
            name, text = "TimeoutError", self.sandbox.limits.words
        kind = getattr(builtins, name, None)
        kind = (
            kind
            if isinstance(kind, type) and issubclass(kind, Exception)
            else type(name, (Exception,), {})
        )
        try:
            error = kind(text)
        except TypeError:
            error = type(name, (Exception,), {})(text)
        error._render_traceback_ = lambda: [*lines, *getattr(error, "__notes__", [])]
        raise error

    def unpack(self, packed):
        """Return the value of a packed one; whatever does not fit is the student's fault."""
        try:
            return wire.unpack(packed, lambda handle: Remote(self, *handle))
        except Exception as error:
            self._lost("crashed", f"the code sent an answer that is none: {type(error).__name__}")

    def call(self, target, method, arguments, named):
        """Return what a function or a method of the student returns; arrays that it writes into
        change here, too.
        """
        then = self.then
        if self.ahead and not named:
            reply = self._announced(target, method, arguments)
        else:
            packed = [wire.pack(list(arguments), _handle), wire.pack(named, _handle)]
            reply = self.ask("call", target._number, method, *packed, then)
        self.called = self.count
        if "changed" in reply:
            for old, new in zip(arguments, self.unpack(reply["changed"]), strict=False):
                if hasattr(old, "shape") and getattr(new, "shape", None) == old.shape and old.shape:
                    old[...] = new
                elif isinstance(old, list) and isinstance(new, list):
                    old[:] = new
        value = self.unpack(reply.get("value"))
        owner = target if method else value
        if "then" in reply and isinstance(owner, Remote):
            vars(owner)["_came"] = self.count, then, reply["then"]
        return value

    def names(self, wanted) -> dict:
        """Return the student's values of those names that exist."""
        found = {name: self.ask("get", name) for name in wanted}
        return {
            name: self.unpack(reply.get("value"))
            for name, reply in found.items()
            if "missing" not in reply
        }

    def run(self, source) -> list:
        """Return the outputs of a cell."""
        return self.ask("run", source).get("outputs", [])


def _handle(value):
    """Return the number of a student's object."""
    if isinstance(value, Remote):
        return value._number
    raise TypeError(f"a test can pass numbers, arrays and containers; got {type(value).__name__}")

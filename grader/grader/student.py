"""The side of the sandbox: it holds a student's names, runs the cells of the notebook and answers
calls of the tests.

    python -m grader.student '{"memory": …, "processes": …, "file": …, "uid": …}'

Limits come first, then the first line of foreign code. Whatever that code does to this process, it
can only change its own answers: the tests and their verdict live in another process, which believes
nothing but plain data.
"""

import base64
import json
import os
import resource
import signal
import sys
from contextlib import suppress
from pathlib import Path
from types import FunctionType, MethodType

from .later import put_off
from .wire import Broken, Channel, Closed, largest, pack, unpack


class TimedOut(KeyboardInterrupt):
    """The time of a cell or of a call is over."""


def confine(limits: dict):
    """Give up root, then set the limits of this process and of all its children for good."""
    if limits["uid"]:
        os.setgroups([])
        os.setresgid(*3 * [limits["uid"]])
        os.setresuid(*3 * [limits["uid"]])
    for name, most in (
        (resource.RLIMIT_AS, limits["memory"]),
        (resource.RLIMIT_NPROC, limits["processes"]),
        (resource.RLIMIT_FSIZE, limits["file"]),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_NOFILE, 256),
    ):
        if most is not None:
            resource.setrlimit(name, (most, most))
    # A file that grows too large is an OSError, not the end.
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)


def connect() -> Channel:
    """Return the channel on the two pipes that were standard input and output; these lead nowhere
    from now on.
    """
    channel = Channel(os.dup(0), os.dup(1))
    nowhere = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nowhere, fd)
    return channel


class Host:
    """What the tests may ask for."""

    def __init__(self, shell):
        self.shell, self.objects = shell, []

    def pack(self, value):
        return pack(value, self.handle)

    def unpack(self, packed):
        return unpack(packed, self.objects.__getitem__)

    def handle(self, value):
        self.objects.append(value)
        name = getattr(value, "__name__", type(value).__name__)
        members = [member for cls in type(value).__mro__ for member in vars(cls).items()]
        methods = [str(key) for key, member in members if isinstance(member, FunctionType)]
        module = str(getattr(value, "__module__", ""))
        return [len(self.objects) - 1, str(name), module, methods]

    def write(self, name, data):
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_bytes(base64.b64decode(data))
        return {}

    def run(self, source):
        return {"outputs": json.loads(json.dumps(self.shell.run(source), default=str))}

    def get(self, name):
        if name not in self.shell.user_ns:
            return {"missing": True}
        return {"value": self.pack(self.shell.user_ns[name])}

    def attribute(self, number, name):
        try:
            value = getattr(self.objects[number], name)
        except AttributeError:
            return {"missing": True}
        return {"value": self.pack(value), "method": isinstance(value, MethodType)}

    def call(self, number, method, arguments, named, then):
        """Return the value of a call, what it changed of its arguments, and the attribute `then` of
        the object that was at work or has been made.
        """
        target, given = self.objects[number], self.unpack(arguments)
        function = getattr(target, method) if method else target
        value = function(*given, **self.unpack(named))
        reply, after = {"value": self.pack(value)}, self.pack(given)
        if after != arguments:
            reply["changed"] = after
        if then:
            with suppress(Exception):  # they ask again, and hear of it
                reply["then"] = self.pack(getattr(target if method else value, then))
        return reply

    def calls(self, number, calls, then):
        """Return the answers to several calls of methods, up to the first that the tests have to
        hear of before the next one: an error, changed arguments, an attribute that is not there.
        """
        replies = []
        for method, arguments in calls:
            try:
                replies.append(self.call(number, method, arguments, {"dict": []}, then))
            except BaseException as error:
                replies.append(self.failed(error))
            if replies[-1].keys() != {"value", *["then"] * bool(then)}:
                break
        return {"replies": replies}

    def failed(self, error):
        """Return the error of the student's code, without the first two frames: those of this
        file.
        """
        inner = error.__traceback__.tb_next and error.__traceback__.tb_next.tb_next
        try:
            lines = self.shell.InteractiveTB.structured_traceback(type(error), error, inner)
            return {"error": [type(error).__name__, str(error), [str(line) for line in lines]]}
        except BaseException:
            return {"error": [type(error).__name__, "", []]}


class Clock:
    """Stops the student's code when a cell has used its seconds of the processor, or too many by
    the clock.
    """

    left = 0.0

    def start(self, fresh: float | None, wall: float):
        """Start with fresh seconds, or go on with those that are left."""
        self.left = self.left if fresh is None else fresh
        signal.setitimer(signal.ITIMER_PROF, max(self.left, 0.001))
        signal.setitimer(signal.ITIMER_REAL, wall)

    def stop(self):
        self.left = signal.setitimer(signal.ITIMER_PROF, 0)[0]
        signal.setitimer(signal.ITIMER_REAL, 0)


def answer(host, request, clock, limit):
    """Return the answer to a request: what was asked for, or the error of the student's code."""
    ((what, arguments),) = request.items()
    try:
        clock.start(*limit)
        reply = getattr(host, what)(*arguments)
        clock.stop()
        return reply
    except BaseException as error:
        clock.stop()
        return host.failed(error)


def stop(*_):
    raise TimedOut("the time is over")


def main(limits: dict):
    """Answer requests until nobody asks any more."""
    confine(limits)
    from .shell import Shell

    put_off("matplotlib", "pyplot")
    host, channel = Host(Shell.start()), connect()
    sys.path.insert(0, "")  # a notebook can import what was handed in with it
    signal.signal(signal.SIGALRM, stop)
    signal.signal(signal.SIGPROF, stop)
    clock = Clock()
    while True:
        request = channel.receive()
        limit, number = request.pop("limit"), request.pop("id")
        most = largest(*request)
        reply = answer(host, request, clock, limit)
        try:
            channel.send(reply | {"id": number}, most)
        except (Broken, TypeError, ValueError) as error:
            channel.send(
                {
                    "error": [
                        "ValueError",
                        f"what comes out of this code cannot be kept: {error}",
                        [],
                    ],
                    "id": number,
                }
            )


if __name__ == "__main__":
    try:
        main(json.loads(sys.argv[1]))
    except Closed:
        pass

"""Kernels that are ready sooner: a process that has imported what every lecture needs is forked for
each of them.

A kernel is still a process of its own, with its own folder, environment and variables, and the
lecture imports `olc_helpers` itself.
"""

import atexit
import gc
import json
import os
import signal
import sys
from contextlib import suppress
from functools import cache
from importlib import import_module
from subprocess import PIPE, Popen

from jupyter_client.provisioning import LocalProvisioner

ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0", "PYTHONUTF8": "1", "TZ": "UTC"}
SHARED = (
    "ipykernel.ipkernel ipykernel.kernelapp ipywidgets matplotlib.backends.backend_agg"
    " matplotlib.figure matplotlib.style numpy.random"
).split()
INLINE = "module://matplotlib_inline.backend_inline"  # as in every kernel


class Forked:
    """What a provisioner asks of a process."""

    stdin = stdout = stderr = None

    def __init__(self, pid: int):
        self.pid = pid

    def poll(self) -> int | None:
        """None while the process runs."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return 0
        return None

    wait = poll  # asked for when it has ended

    def send_signal(self, number: int) -> None:
        with suppress(ProcessLookupError):  # it has ended meanwhile
            os.kill(self.pid, number)


class Warm(LocalProvisioner):
    """Starts a kernel as a fork of the warm process."""

    async def launch_kernel(self, cmd, *, env, cwd, **_):
        server = warm_process()
        print(json.dumps([cmd[3:], env, os.path.abspath(cwd)]), file=server.stdin, flush=True)
        self.pid = self.pgid = int(server.stdout.readline())
        self.process, self.cwd = Forked(self.pid), cwd
        return self.connection_info


@cache
def warm_process() -> Popen:
    """The process that is forked; it ends with this one."""
    server = Popen(
        [sys.executable, __file__],
        stdin=PIPE,
        stdout=PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | ENVIRONMENT | {"MPLBACKEND": INLINE},
    )
    atexit.register(server.communicate)
    return server


def serve() -> None:
    """Import, then fork a kernel for each line of arguments, environment and folder."""
    del sys.path[0]  # the folder of this file
    for name in SHARED:
        import_module(name)

    def bury(*_):
        with suppress(ChildProcessError):  # nobody is left
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass

    gc.freeze()
    signal.signal(signal.SIGCHLD, bury)
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            become_kernel(*json.loads(line))
        print(pid, flush=True)


def become_kernel(arguments, environment, folder) -> None:
    """Run as if started by `python -m ipykernel_launcher`, until the kernel is shut down or the
    process that was forked has ended.
    """
    from ipykernel.kernelapp import IPKernelApp

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(folder)
    sys.argv[1:] = arguments
    IPKernelApp.launch_instance([*arguments, f"--IPKernelApp.parent_handle={os.getppid()}"])
    sys.exit()


if __name__ == "__main__":
    serve()

"""A process without network, without your files and with hard limits: bubblewrap around
student.py.
"""

import compileall
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import psutil

from . import seccomp
from .unanswered import unanswered

HERE, MB = Path(__file__).resolve().parent, 2**20
HOME = "/scratch"
VISIBLE = ("__init__", "student", "wire", "shell", "later")  # what the sandbox holds of this folder
NAMESPACES = [
    "--unshare-cgroup-try",
    *(f"--unshare-{kind}" for kind in ("ipc", "pid", "net", "uts")),
]
AS_ROOT = "--cap-drop ALL --cap-add CAP_SETUID --cap-add CAP_SETGID".split()
REMEDY = """It needs namespaces. On Debian,
'sudo sysctl kernel.unprivileged_userns_clone=1' allows them,
on Ubuntu 'sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0'; a container has to be
started with them. Root grades as another user, who must be able to read Python and the course"""
# Where root starts the sandbox, it becomes this user plus the id of the process that started it.
FIRST_UID = 2**30
PYTHON_NEEDS = (
    *("bin", "sbin", "lib", "lib32", "lib64", "libexec"),
    *("share/fonts", "share/fontconfig", "share/zoneinfo"),
)
WALL = 2  # seconds by the clock for each second of the processor: others work on the machine, too


def by_the_clock(seconds: float) -> float:
    """Return how long so many seconds of the processor may take here: twice as long, and longer
    in proportion where more processes want to run than there are processors.
    """
    return WALL * seconds * max(1, os.getloadavg()[0] / (os.cpu_count() or 1))


@dataclass(frozen=True)
class Limits:
    """What one submission may use: seconds of the processor for a cell and in all, megabytes,
    processes.
    """

    cell: float = 20
    total: float = 60
    memory: int = 2048  # MB, of one process and of all together
    processes: int = 64  # with threads
    file: int = 64  # MB of one file
    disk: int = 256  # MB of all files, which live in memory

    @property
    def words(self):
        """What is said of a cell that was stopped."""
        return (
            f"stopped: a cell has {self.cell:g} seconds of the processor, and {WALL * self.cell:g}"
            " by the clock, or more if the machine is busy"
        )

    def of_process(self, uid, safe):
        """Return them for student.py; without a sandbox the processes of the teacher would count,
        too.
        """
        return {
            "memory": self.memory * MB,
            "processes": self.processes if safe else None,
            "file": self.file * MB,
            "uid": uid,
        }


class NoSandbox(Exception):
    """Why there is no sandbox on this machine."""


class Sandbox:
    """Starts processes that can read Python and the package of the course, and nothing else of this
    machine; of the package they get a copy without answers (see `unanswered`), unless they need the
    whole.
    """

    def __init__(
        self,
        package: Path,
        limits: Limits,
        safe: bool = True,
        answers: tuple[str, ...] = (),
        refuse: str = "",
    ):
        self.package, self.limits, self.safe = package.resolve(), limits, safe
        self.copy = unanswered(self.package, answers, refuse)
        self.run = os.getpid()
        for folder in (self.package, HERE):
            compileall.compile_dir(folder, quiet=2)
        if safe:
            self._try()

    def _try(self):
        if not shutil.which("bwrap"):
            raise NoSandbox(
                "bubblewrap (bwrap) is not installed; 'tools/system.sh' installs it on Debian and"
                " Ubuntu"
            )
        process = self.start(0)
        try:
            # No request: it starts, finds nobody and ends.
            said = process.communicate(b"", timeout=30)[1]
        except subprocess.TimeoutExpired:
            process.kill()
            said = process.communicate()[1]
        self.clean(process)
        if process.returncode:
            words = said.decode(errors="replace").strip() or "it ended without a word"
            raise NoSandbox(f"bubblewrap does not work here: {words}\n{REMEDY}")

    def start(self, slot: int | str, whole: bool = False) -> subprocess.Popen:
        """Return student.py in a new sandbox, with the `whole` package or without its answers;
        requests go to its standard input, answers come from its output.
        """
        package = self.package if whole else self.copy
        uid = FIRST_UID + os.getpid() if self.safe and os.geteuid() == 0 else None
        program = [
            sys.executable,
            "-s",
            "-P",
            "-m",
            "grader.student",
            json.dumps(self.limits.of_process(uid, self.safe)),
        ]
        environment = {
            "PATH": "/usr/bin:/bin",
            "LANG": "C.UTF-8",
            "HOME": HOME,
            "OPENBLAS_NUM_THREADS": "1",
            "PYTHONHASHSEED": "0",
            "TZ": "UTC",
            "PYTHONPATH": f"{HERE.parent}:{(self.package if self.safe else package).parent}",
            "PYTHONDONTWRITEBYTECODE": "1",
            "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        }
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        if self.safe:
            return self._confined(program, environment, slot, pipes, package)
        folder = tempfile.mkdtemp(prefix="grading-")
        process = subprocess.Popen(
            program, env=environment | {"HOME": folder}, cwd=folder, start_new_session=True, **pipes
        )
        process.folder = folder
        return process

    def _confined(self, program, environment, slot, pipes, package):
        """Return the process in bubblewrap, with the filter of system calls and in a control group
        if there is one.
        """
        group = self.group(slot)
        reads, writes = os.pipe()
        try:
            os.write(writes, seccomp.program())
            os.close(writes)
            filtered = ["--seccomp", str(reads)] if seccomp.program() else []
            process = subprocess.Popen(
                [*self._bubblewrap(package), *filtered, *program],
                env=environment,
                pass_fds=[reads],
                preexec_fn=group and group.enter,
                **pipes,
            )
            process.group = group
            return process
        finally:
            os.close(reads)

    def group(self, slot: int | str) -> "Group | None":
        """Return the control group of a slot, with its limit, or None if this machine has none for
        us.
        """
        return Group.make(f"grading-{self.run}-{slot}", self.limits.memory) if self.safe else None

    def forget(self, slot: int):
        """Remove the groups that processes left which were ended."""
        for folder, _ in Group.places() if self.safe else ():
            for name in (slot, f"{slot}-whole"):
                Group(folder / f"grading-{self.run}-{name}").remove()

    @property
    def guard(self) -> str:
        """What limits the memory of a submission, in words."""
        if self.group(0):
            self.forget(0)
            return "all memory of a submission is limited by a control group of the kernel"
        return (
            "memory is limited by process, and all of them are counted twice a second; no control"
            " group can be made here"
        )

    def clean(self, process: subprocess.Popen):
        """Remove what an ended process left: its group, or without a sandbox its other processes
        and its folder.
        """
        if self.safe:
            if process.group:
                process.group.remove()
        else:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            shutil.rmtree(process.folder, ignore_errors=True)

    def _bubblewrap(self, package):
        return [
            shutil.which("bwrap"),
            *NAMESPACES,
            *"--die-with-parent --new-session --hostname sandbox".split(),
            *(AS_ROOT if os.geteuid() == 0 else ["--unshare-user"]),
            *system(),
            *"--proc /proc --dev /dev".split(),
            *self._scratch(),
            *self._readable(package),
            *self._fonts(),
            *f"--remount-ro /dev --remount-ro / --chdir {HOME}".split(),
        ]

    def _scratch(self):
        """Yield the options for folders in memory that everybody may write to."""
        for path, size in ((HOME, self.limits.disk), ("/tmp", self.limits.disk), ("/dev/shm", 64)):
            yield from ("--perms", "1777", "--size", str(size * MB), "--tmpfs", path)

    def _readable(self, package):
        """Yield the options for Python, a package in the place of ours and our side of the
        sandbox.
        """
        modules = {HERE / f"{name}.py" for name in VISIBLE}
        paths = {Path(sys.prefix), Path(sys.base_prefix), self.package, *modules}
        paths = sorted(path for path in paths if str(path) not in ("/usr", "/usr/local"))
        for folder in sorted({folder for path in paths for folder in path.parents}):
            yield from ("--perms", "0755", "--dir", str(folder))
        for path in paths:
            yield from ("--ro-bind", str(package if path == self.package else path), str(path))

    def _fonts(self):
        """Yield the options for matplotlib's list of fonts, if there is one: it takes seconds to
        make.
        """
        import matplotlib.font_manager

        for fonts in [*Path(matplotlib.get_cachedir()).glob("fontlist-*.json")][:1]:
            cache = f"{HOME}/.cache/matplotlib"
            for folder in (f"{HOME}/.cache", cache):
                yield from ("--perms", "1777", "--dir", folder)
            yield from ("--ro-bind", str(fonts), f"{cache}/{fonts.name}")

    def used(self, pid: int) -> tuple[float, int]:
        """Return the seconds of the processor and the bytes of a process and all its
        descendants.
        """
        seconds = held = 0
        with contextlib.suppress(psutil.Error):
            tree = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
            for process in tree:
                with contextlib.suppress(psutil.Error):
                    seconds += sum(process.cpu_times()[:4])  # with those of its ended children
                    if len(tree) > 3:  # the limit of one process is the kernel's work
                        held += process.memory_full_info().pss
        return seconds, held


def system():
    """Yield the options for the programs and libraries that Python needs."""
    for folder in ("/usr", "/usr/share", "/usr/local", "/usr/local/share"):
        yield from ("--perms", "0755", "--dir", folder)
    tops = {f"{top}/{name}" for top in ("/usr", "/usr/local") for name in PYTHON_NEEDS}
    for path in map(Path, sorted(tops | {"/bin", "/sbin", "/lib", "/lib64", "/lib32"})):
        if path.is_symlink():
            yield from ("--symlink", os.readlink(path), str(path))
        elif path.exists():
            yield from ("--ro-bind", str(path), str(path))
    for path in ("/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts", "/etc/localtime"):
        yield from ("--ro-bind-try", path, path)


@dataclass(frozen=True)
class Group:
    """A control group, in which the kernel counts all memory of a sandbox: of files and shared
    memory, too.
    """

    folder: Path

    @classmethod
    def make(cls, name: str, megabytes: int) -> "Group | None":
        """Return a new group with a limit, or None: most users may not make one."""
        for folder, limits in cls.places():
            try:
                for old in folder.glob("grading-*"):  # of a run that was ended
                    if old.name == name or not psutil.pid_exists(int(old.name.split("-")[1])):
                        cls(old).remove()
                (folder / name).mkdir()
                for limit, value in limits.items():
                    if (folder / name / limit).exists():
                        (folder / name / limit).write_text(str(value * megabytes * MB))
                if (folder / name / next(iter(limits))).exists():
                    return cls(folder / name)
                (folder / name).rmdir()
            except OSError:
                continue
        return None

    @staticmethod
    def places():
        """Yield where a group may be made, and {file: 1 or 0 times the limit}: our own group first,
        then the root.
        """
        own = dict(
            line.split(":", 2)[1:] for line in Path("/proc/self/cgroup").read_text().splitlines()
        )
        kinds = (
            (
                "memory",
                Path("/sys/fs/cgroup/memory"),
                {"memory.limit_in_bytes": 1, "memory.memsw.limit_in_bytes": 1},
            ),
            ("", Path("/sys/fs/cgroup"), {"memory.max": 1, "memory.swap.max": 0}),
        )
        for kind, top, limits in kinds:
            if kind in own and (top / "cgroup.procs").exists():
                yield from (
                    (folder, limits) for folder in dict.fromkeys([top / own[kind].lstrip("/"), top])
                )

    def enter(self):
        """Put this process into the group; its children will be in it, too."""
        (self.folder / "cgroup.procs").write_text(str(os.getpid()))

    @property
    def burst(self) -> bool:
        """Whether the kernel has ended a process of the group for its memory."""
        for name, key in (("memory.events", "oom_kill"), ("memory.oom_control", "oom_kill")):
            with contextlib.suppress(OSError):
                counts = dict(
                    line.split() for line in (self.folder / name).read_text().splitlines()
                )
                return int(counts.get(key, 0)) > 0
        return False

    def remove(self):
        """Remove the group; its processes are ended already, and the kernel needs a moment to
        notice.
        """
        for _ in range(50):
            try:
                return self.folder.rmdir()
            except FileNotFoundError:
                return None
            except OSError:
                time.sleep(0.02)

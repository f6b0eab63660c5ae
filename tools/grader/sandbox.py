"""A process without network, without your files and with hard limits: bubblewrap around student.py."""

import compileall
import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import psutil

HERE, MB = Path(__file__).resolve().parent, 2**20
HOME = "/scratch"
VISIBLE = ("__init__", "student", "wire", "shell")  # what the sandbox holds of this folder
NAMESPACES = ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
REMEDY = """It needs namespaces. On Debian, 'sudo sysctl kernel.unprivileged_userns_clone=1' allows them, on Ubuntu
'sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0'; a container has to be started with them. Root grades as
another user, who must be able to read Python and the course"""
FIRST_UID = 64000  # where root starts the sandbox, slot k becomes the user FIRST_UID + k, who owns nothing


@dataclass(frozen=True)
class Limits:
    """What one submission may use: seconds for a cell and in all, megabytes, processes."""

    cell: float = 30
    total: float = 300
    memory: int = 2048    # MB, of one process and of all together
    processes: int = 64   # with threads
    file: int = 64        # MB of one file
    disk: int = 256       # MB of all files, which live in memory

    def of_process(self, uid, safe):
        """Return them for student.py; without a sandbox the processes of the teacher would count, too."""
        return {"memory": self.memory * MB, "processes": self.processes if safe else None, "file": self.file * MB, "uid": uid}


class NoSandbox(Exception):
    """Why there is no sandbox on this machine."""


class Sandbox:
    """Starts processes that can read Python and the package `olc_helpers`, and nothing else of this machine."""

    def __init__(self, package: Path, limits: Limits, safe: bool = True):
        self.package, self.limits, self.safe = package.resolve(), limits, safe
        for folder in (self.package, HERE):
            compileall.compile_dir(folder, quiet=2)
        if safe:
            self._try()

    def _try(self):
        if not shutil.which("bwrap"):
            raise NoSandbox("bubblewrap (bwrap) is not installed; 'make system' installs it on Debian and Ubuntu")
        process = self.start(0)
        try:
            said = process.communicate(b"", timeout=30)[1]  # no request: it starts, finds nobody and ends
        except subprocess.TimeoutExpired:
            process.kill()
            said = process.communicate()[1]
        if process.returncode:
            words = said.decode(errors="replace").strip() or "it ended without a word"
            raise NoSandbox(f"bubblewrap does not work here: {words}\n{REMEDY}")

    def start(self, slot: int) -> subprocess.Popen:
        """Return student.py in a new sandbox; requests go to its standard input, answers come from its output."""
        uid = FIRST_UID + slot if self.safe and os.geteuid() == 0 else None
        program = [sys.executable, "-s", "-P", "-m", "grader.student", json.dumps(self.limits.of_process(uid, self.safe))]
        environment = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": HOME, "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0",
                       "TZ": "UTC", "PYTHONPATH": f"{HERE.parent}:{self.package.parent}", "PYTHONDONTWRITEBYTECODE": "1",
                       "MPLBACKEND": "module://matplotlib_inline.backend_inline"}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        if self.safe:
            return subprocess.Popen([*self._bubblewrap(), *program], env=environment, **pipes)
        folder = tempfile.mkdtemp(prefix="grading-")
        process = subprocess.Popen(program, env=environment | {"HOME": folder}, cwd=folder, start_new_session=True, **pipes)
        process.folder = folder
        return process

    def clean(self, process: subprocess.Popen):
        """Remove what an ended process without a sandbox left: its other processes and its folder."""
        if not self.safe:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            shutil.rmtree(process.folder, ignore_errors=True)

    def _bubblewrap(self):
        root = os.geteuid() == 0
        command = [shutil.which("bwrap"), *NAMESPACES, "--die-with-parent", "--new-session", "--hostname", "sandbox"]
        command += ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"] if root else ["--unshare-user"]
        for path in map(Path, ("/usr", "/bin", "/sbin", "/lib", "/lib64", "/lib32")):
            if path.is_symlink():
                command += ["--symlink", os.readlink(path), str(path)]
            elif path.exists():
                command += ["--ro-bind", str(path), str(path)]
        for path in ("/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts", "/etc/localtime"):
            command += ["--ro-bind-try", path, path]
        readable = {Path(sys.prefix), Path(sys.base_prefix), self.package, *(HERE / f"{m}.py" for m in VISIBLE)}
        command += ["--proc", "/proc", "--dev", "/dev"]
        for path, size in ((HOME, self.limits.disk), ("/tmp", self.limits.disk), ("/dev/shm", 64)):
            command += ["--perms", "1777", "--size", str(size * MB), "--tmpfs", path]
        readable = sorted(path for path in readable if not path.is_relative_to("/usr"))
        for folder in sorted({folder for path in readable for folder in path.parents}):
            command += ["--perms", "0755", "--dir", str(folder)]
        for path in readable:
            command += ["--ro-bind", str(path), str(path)]
        if fonts := self._fonts():
            cache = f"{HOME}/.cache/matplotlib"
            command += ["--perms", "1777", "--dir", f"{HOME}/.cache", "--perms", "1777", "--dir", cache]
            command += ["--ro-bind", str(fonts), f"{cache}/{fonts.name}"]
        return [*command, "--remount-ro", "/dev", "--remount-ro", "/", "--chdir", HOME]

    def _fonts(self):
        """Return matplotlib's list of fonts, which takes seconds to make, or None."""
        import matplotlib.font_manager
        return next(iter(Path(matplotlib.get_cachedir()).glob("fontlist-*.json")), None)

    def too_large(self, pid: int) -> bool:
        """Return whether the process and its descendants together hold more memory than they may."""
        try:
            tree = [psutil.Process(pid), *psutil.Process(pid).children(recursive=True)]
        except psutil.Error:
            return False
        total = 0
        for process in tree if len(tree) > 3 else []:  # the limit of one process is the kernel's work
            try:
                total += process.memory_full_info().pss
            except psutil.Error:
                continue
        return total > self.limits.memory * MB

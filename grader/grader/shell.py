"""Run a code cell as a notebook does, and return its outputs in the form in which a notebook keeps
them.
"""

import io
import json
import sys

from IPython.core.displayhook import DisplayHook
from IPython.core.displaypub import DisplayPublisher
from IPython.core.interactiveshell import InteractiveShell

from .wire import parts

KEPT = 100_000  # characters of text that a cell may print; what comes after is dropped
SHOWN = 15 * 2**20  # bytes of all that it may show, and a value counts as VALUE of them
VALUE = 100


class Printed(io.TextIOBase):
    """A stream whose text becomes an output of the running cell."""

    def __init__(self, shell, name):
        self.shell, self.name = shell, name

    def writable(self):
        return True

    def write(self, text):
        self.shell.print(self.name, str(text))
        return len(text)


class Publisher(DisplayPublisher):
    def publish(self, data, metadata=None, **_):
        self.shell.show({"output_type": "display_data", "data": data, "metadata": metadata or {}})

    def clear_output(self, wait=False):
        self.shell.outputs.clear()
        self.shell.space = SHOWN


class Hook(DisplayHook):
    def write_output_prompt(self):
        pass

    def write_format_data(self, format_dict, md_dict=None):
        self.shell.show(
            {
                "output_type": "execute_result",
                "execution_count": self.shell.execution_count,
                "data": format_dict,
                "metadata": md_dict or {},
            }
        )

    def finish_displayhook(self):
        pass


class Shell(InteractiveShell):
    """An IPython without a terminal and without a kernel."""

    @classmethod
    def start(cls):
        """Return the shell of this process; with MPLBACKEND set as in a kernel, it shows pictures
        inline.
        """
        shell = cls.instance(
            display_pub_class=Publisher, displayhook_class=Hook, history_load_length=0
        )
        shell.history_manager.enabled = False
        shell.outputs, shell.room, shell.space = [], 0, 0
        shell.display_trap.hook = shell.displayhook
        return shell

    def init_history(self):
        from IPython.core.history import HistoryManager

        self.history_manager = HistoryManager(
            shell=self, parent=self, hist_file=":memory:", enabled=False
        )

    def init_io(self):
        pass

    def enable_gui(self, gui=None):
        pass

    def print(self, name, text):
        """Add text to the outputs of the running cell, as far as there is room."""
        if self.room <= 0:
            return
        if len(text) > self.room:
            text = text[: self.room] + f"\n… cut: a cell may print {KEPT} characters\n"
        self.room -= len(text)
        if self.outputs and self.outputs[-1].get("name") == name:
            self.outputs[-1]["text"] += text
        else:
            self.show({"output_type": "stream", "name": name, "text": text})

    def show(self, output):
        """Add an output to those of the running cell, as far as there is room."""
        data = json.dumps(output, default=str).encode()
        before, self.space = self.space, self.space - max(len(data), VALUE * parts(data))
        if self.space > 0:
            self.outputs.append(output)
        elif before > 0:
            words = f"… cut: a cell may show {SHOWN // 2**20} MB\n"
            self.outputs.append({"output_type": "stream", "name": "stdout", "text": words})

    def _showtraceback(self, etype, evalue, stb):
        self.told = True
        self.outputs.append(
            {
                "output_type": "error",
                "ename": etype.__name__,
                "evalue": str(evalue),
                "traceback": list(stb),
            }
        )

    def run(self, source: str) -> list[dict]:
        """Return the outputs of a cell; an error is one of them, even if telling it failed."""
        self.outputs, self.room, self.error, self.told = [], KEPT, None, False
        self.space = SHOWN
        streams = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = Printed(self, "stdout"), Printed(self, "stderr")
        try:
            result = self.run_cell(source, store_history=True)
            self.error = result.error_before_exec or result.error_in_exec
            if self.error is not None and not self.told:  # the time was over meanwhile
                self._showtraceback(type(self.error), self.error, [])
        finally:
            sys.stdout, sys.stderr = streams
        return self.outputs

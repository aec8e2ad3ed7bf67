"""Processes of the product that begin with its libraries imported: forked from one process that has done nothing else.

To import torch, sentence-transformers, chromadb and Streamlit takes five seconds of a processor, many times what most
commands take by themselves.  What is forked is a process like any other: it has an environment, a folder, channels
and an exit code of its own, and can be killed.  Where it matters that everything is imported anew, start Python itself.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import gc
import importlib
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parents[1]
IMPORTED = (
    "chromadb",
    "sentence_transformers",
    "streamlit.web.bootstrap",
    "transformers.models.xlm_roberta.modeling_xlm_roberta",
    "rag.build",
    "rag.commands",
    "rag.server",
)
LONGEST = 1 << 20  # bytes of a request: arguments and an environment


class Forked:
    """A running process: what ``subprocess.Popen`` says of one, of text channels."""

    def __init__(self, pid: int, told: socket.socket, stdin: IO[str] | None, stdout: IO[str] | None) -> None:
        self.pid = pid
        self.stdin = stdin
        self.stdout = stdout
        self.returncode: int | None = None
        self._told = told

    def __enter__(self) -> Forked:
        return self

    def __exit__(self, *_: object) -> None:
        for channel in (self.stdin, self.stdout):
            if channel:
                channel.close()
        self.wait()

    def poll(self) -> int | None:
        """Return the exit code, the negative number of a signal, or None while it runs."""
        with contextlib.suppress(BlockingIOError):
            return self._ended(0)
        return None

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code when there is one.

        Raises: subprocess.TimeoutExpired.
        """
        try:
            return self._ended(timeout)
        except TimeoutError as error:
            raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0) from error

    def _ended(self, timeout: float | None) -> int:
        if self.returncode is None:
            self._told.settimeout(timeout)
            self.returncode = json.loads(self._told.recv(64) or b"-1")
            self._told.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


@functools.cache
def _server() -> socket.socket:
    """Return the line to the process that forks, started where it is first asked for; it ends with this one."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    for end in (ours, theirs):
        end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LONGEST)
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "REFERENT_"))}
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.forking", str(theirs.fileno())],
        cwd=ROOT,
        env=clean | {"PYTHONPATH": str(ROOT)},
        pass_fds=[theirs.fileno()],
    )
    theirs.close()
    atexit.register(process.wait)
    atexit.register(ours.close)  # before it is waited for
    return ours


def start(
    *arguments: str,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdin: int = subprocess.DEVNULL,
    stdout: IO[str] | int | None = None,
    stderr: IO[str] | int | None = None,
) -> Forked:
    """Start Python with *arguments*, which begin with ``-m`` or ``-c``; channels as for ``subprocess.Popen``."""
    asked = {"arguments": arguments, "cwd": str(cwd or Path.cwd()), "env": dict(os.environ if env is None else env)}
    asks: IO[str] | None = None
    said: IO[str] | None = None
    if stdin == subprocess.PIPE:
        given, writing = os.pipe()
        asks = os.fdopen(writing, "w", encoding="utf-8")  # closed with the process
    else:
        given = os.open(os.devnull, os.O_RDONLY)
    close = [given]
    if stdout == subprocess.PIPE:
        reading, writing = os.pipe()
        said = os.fdopen(reading, encoding="utf-8")  # the same
        close.append(writing)
    else:
        writing = stdout.fileno() if hasattr(stdout, "fileno") else 1
    errors = writing if stderr == subprocess.STDOUT else stderr.fileno() if hasattr(stderr, "fileno") else 2
    told, tells = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with tells:
        socket.send_fds(_server(), [json.dumps(asked).encode()], [given, writing, errors, tells.fileno()])
    for number in close:
        os.close(number)
    return Forked(json.loads(told.recv(64)), told, asks, said)


def run(
    *arguments: str, given: str = "", cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run Python with *arguments* to its end, *given* on its input, as ``subprocess.run`` does with its output kept."""
    with (
        os.fdopen(os.memfd_create("errors"), "w+", encoding="utf-8") as errors,
        start(*arguments, cwd=cwd, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors) as process,
    ):
        assert process.stdin
        assert process.stdout
        with contextlib.suppress(BrokenPipeError), process.stdin:
            process.stdin.write(given)  # shorter than a pipe holds
        said = process.stdout.read()
        code = process.wait()
        errors.seek(0)
        return subprocess.CompletedProcess(arguments, code, said, errors.read())


# ------------------------------------------------------------------ in the process that forks
def _serve(line: socket.socket) -> tuple[list[str], list[int]] | None:
    """Fork a process for each request; return its arguments and channels there, None when there is no more."""
    while True:
        message, channels, _, _ = socket.recv_fds(line, LONGEST, 4)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        if not message:
            return None
        if os.fork() == 0:
            line.close()
            asked = json.loads(message)
            if _keep(channels.pop()):
                os.chdir(asked["cwd"])
                os.environ.clear()
                os.environ.update(asked["env"])
                return asked["arguments"], channels
        for number in channels:
            os.close(number)


def _keep(tells: int) -> bool:
    """Fork the process asked for, True in it; the one between tells its number, and its exit code when it has one."""
    pid = os.fork()
    if pid == 0:
        os.close(tells)
        return True
    for number in range(3):
        os.close(number)
    with socket.socket(fileno=tells) as line:
        line.send(json.dumps(pid).encode())
        code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        line.send(json.dumps(code).encode())
    os._exit(0)


def _begin(arguments: Sequence[str], channels: Sequence[int]) -> None:
    """Be Python as it is started with *arguments*."""
    for place, number in enumerate(channels):
        os.dup2(number, place)
        os.close(number)
    sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
    sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, encoding="utf-8", errors="backslashreplace", closefd=False)
    kind, what, *rest = arguments
    sys.path[0] = str(Path.cwd())
    sys.argv = [what if kind == "-m" else kind, *rest]
    code: object = 0
    try:
        if kind == "-m":
            runpy.run_module(what, run_name="__main__", alter_sys=True)
        else:
            exec(compile(what, "<string>", "exec"), {"__name__": "__main__"})  # noqa: S102  # a test's own program
    except SystemExit as ended:
        code = ended.code
    except BaseException:  # noqa: BLE001  # as Python itself at its outermost edge
        sys.excepthook(*sys.exc_info())
        code = 1
    _end(code)


def _end(code: object) -> None:
    """End as Python does, but that the libraries are not taken apart, which costs two seconds of a processor."""
    if isinstance(code, str):
        sys.stderr.write(f"{code}\n")
    threading._shutdown()
    atexit._run_exitfuncs()
    for channel in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            channel.flush()
    os._exit(code if isinstance(code, int) else int(code is not None))


if __name__ == "__main__":
    for name in IMPORTED:
        importlib.import_module(name)
    gc.collect()
    gc.freeze()  # what is never looked at again need not be copied
    if (asked := _serve(socket.socket(fileno=int(sys.argv[1])))) is not None:
        _begin(*asked)

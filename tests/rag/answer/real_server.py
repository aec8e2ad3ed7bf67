"""An OpenAI-compatible server in a process of its own: llama.cpp with the small model that a package carries.

usage: python real_server.py GGUF

Prints its address on a line and serves until its standard input ends.
"""

from __future__ import annotations

import sys
from typing import Any


def main() -> None:
    import xllamacpp

    parameters: Any = xllamacpp.CommonParams()
    parameters.model.path = sys.argv[1]
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_ctx = 4096
    parameters.n_parallel = 1
    parameters.cpuparams.n_threads = 2
    parameters.model_alias = {"small"}
    server: Any = xllamacpp.Server(parameters)
    sys.stdout.write(f"address {server.listening_address}\n")
    sys.stdout.flush()
    sys.stdin.read()


if __name__ == "__main__":
    main()

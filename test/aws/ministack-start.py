"""Starts MiniStack, and lets it start a function anew as AWS does.

AWS starts an environment again that has ended before it was ready. MiniStack answers that request
with an error instead, and kills all other environments of the same function, of which those that
are starting fail too. On a busy machine no request gets through for seconds.
"""

from ministack.app import main
from ministack.core.lambda_runtime import Worker

STARTS_MAX = 3

start_once = Worker._spawn


def start(worker):
    for number in range(1, STARTS_MAX):
        try:
            return start_once(worker)
        except RuntimeError as error:
            ended = worker._proc.poll() if worker._proc else "unknown"
            print(f"start {number} of {worker.func_name} failed with code {ended}: {error}")
            print(worker._drain_stderr_bounded(), flush=True)
    return start_once(worker)


Worker._spawn = start
main()

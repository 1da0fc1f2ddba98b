"""What a client's program says of each of its steps: one line of JSON, as play.py of the peers."""
import json
import os

# How many times as long as on this machine the clients wait for a stack.
PATIENCE = float(os.environ.get("HEARTH_CLIENTS_PATIENCE", "1"))

# Clients write to the standard output. That goes to the other one.
OUT = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def say(name, error=None):
    outcome = "passed" if error is None else "failed"
    line = {"id": name, "outcome": outcome, "text": "" if error is None else str(error)[:800]}
    print(json.dumps(line), file=OUT, flush=True)


def step(name, work):
    """Returns the result, and None after a failure."""
    try:
        result = work()
    except Exception as error:
        say(name, f"{type(error).__name__}: {error}")
        return None
    say(name)
    return result


def holds(found, wanted, place="answer"):
    """Why `found` has not all of `wanted`. "*" stands for anything, and None: it has."""
    if wanted == "*":
        return None
    if isinstance(wanted, dict):
        if not isinstance(found, dict):
            return f"{place} is {found!r}, not a map"
        for key, value in wanted.items():
            if key not in found:
                return f"{place} has no {key}: {found!r}"
            why = holds(found[key], value, f"{place}.{key}")
            if why is not None:
                return why
        return None
    if isinstance(wanted, list):
        if not isinstance(found, list) or len(found) < len(wanted):
            return f"{place} is {found!r}, not a list like {wanted!r}"
        if not wanted and found:
            return f"{place} is not empty: {found!r}"
        for value in wanted:
            if all(holds(one, value) is not None for one in found):
                return f"{place} has nothing like {value!r}: {found!r}"
        return None
    return None if found == wanted else f"{place} is {found!r}, not {wanted!r}"

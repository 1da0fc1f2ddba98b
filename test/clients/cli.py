"""Plays tables such as invocations.json with the real `openstack`, and says how each one ended.

Arguments: the table, a folder with the files that it names, and a prefix for names. Several tables
have a colon between them, and are played one after another.
"""
import contextlib
import importlib.metadata
import io
import json
import sys
import time

from said import PATIENCE, holds, say

from openstackclient import shell

GROUP = "openstack.orchestration.v1"
SECONDS_MAX = 40 * PATIENCE


def run(words):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = shell.main(words)
        except SystemExit as end:
            code = end.code
    return code or 0, out.getvalue(), err.getvalue()


def document(words, out):
    """The events that a command waits for come before its answer."""
    if "json" not in words:
        return out
    lines = out.splitlines()
    starts = [at for at, line in enumerate(lines) if line[:1] in ("[", "{")]
    for at in starts:
        with contextlib.suppress(ValueError):
            return json.loads("\n".join(lines[at:]))
    raise ValueError(f"no JSON in {out!r}")


def why_wrong(one, words, saved):
    code, out, err = run(words)
    if code != one.get("code", 0):
        return f"exit code {code}: {err.strip()[-400:]} {out[-200:]}"
    if "error" in one and one["error"] not in err:
        return f"no {one['error']!r} in {err!r}"
    found = document(words, out) if "answer" in one or "save" in one else None
    if "answer" in one:
        wrong = holds(found, one["answer"])
        if wrong is not None:
            return wrong
    for name, path in one.get("save", {}).items():
        value = found
        for key in path:
            value = value[key]
        saved[name] = value
    return None


def filled(value, saved):
    if isinstance(value, str):
        for name, text in saved.items():
            value = value.replace("{" + name + "}", str(text))
        return value
    if isinstance(value, list):
        return [filled(one, saved) for one in value]
    if isinstance(value, dict):
        return {filled(key, saved): filled(one, saved) for key, one in value.items()}
    return value


def play(one, saved):
    one = filled(one, saved)
    words = one["command"].split() + one.get("words", [])
    until = time.time() + SECONDS_MAX
    while True:
        try:
            wrong = why_wrong(one, words, saved)
        except Exception as error:
            wrong = f"{type(error).__name__}: {error}"
        if wrong is None or "until" not in one or time.time() > until:
            break
        time.sleep(0.5)
    say("openstack " + " ".join(words), wrong)


def main(tables, folder, prefix):
    invocations = []
    for table in tables.split(":"):
        with open(table) as source:
            invocations += json.load(source)
    saved = {"folder": folder, "s": prefix}
    for one in invocations:
        play(one, saved)
    played = {one["command"] for one in invocations if one.get("code", 0) == 0}
    known = importlib.metadata.entry_points(group=GROUP)
    commands = {entry.name.replace("_", " ") for entry in known}
    missing = sorted(commands - played)
    say("every command of the plug-in is played", missing or None)


main(*sys.argv[1:])

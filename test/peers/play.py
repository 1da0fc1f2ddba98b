"""Plays test modules of others, unmodified, and prints a line of JSON for each test.

Arguments are names of modules. Tests whose id has a word behind `--without` are not played.
"""
import json
import os
import sys
import unittest

# The suites write logs to the standard output. These go to the other one.
OUT = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def parts(text):
    lines = [line for line in text.strip().splitlines() if line.strip()]
    return lines[-1][:500] if lines else ""


class Lines(unittest.TestResult):
    def _say(self, test, outcome, text=""):
        line = {"id": test.id(), "outcome": outcome, "text": text}
        print(json.dumps(line), file=OUT, flush=True)

    def addSuccess(self, test, details=None):
        self._say(test, "passed")

    def addSkip(self, test, reason=None, details=None):
        text = reason or (details["reason"].as_text() if details else "")
        self._say(test, "skipped", parts(text))

    def _failed(self, test, err, details):
        if err is not None:
            text = self._exc_info_to_string(err, test)
        else:
            text = details["traceback"].as_text() if "traceback" in details else ""
        self._say(test, "failed", parts(text))

    def addError(self, test, err=None, details=None):
        self._failed(test, err, details)

    def addFailure(self, test, err=None, details=None):
        self._failed(test, err, details)

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self._failed(subtest, err, None)

    def addExpectedFailure(self, test, err=None, details=None):
        self._say(test, "passed")

    def addUnexpectedSuccess(self, test, details=None):
        self._say(test, "failed", "unexpected success")


def leave_out(suite, without):
    """Suites stay whole otherwise, since they have fixtures of their own."""
    for at, one in reversed(list(enumerate(suite))):
        if isinstance(one, unittest.TestSuite):
            leave_out(one, without)
        elif any("." + part in one.id() for part in without):
            del suite._tests[at]


def main(words):
    at = words.index("--without") if "--without" in words else len(words)
    modules, without = words[:at], words[at + 1:]
    suite = unittest.TestLoader().loadTestsFromNames(modules)
    if without:
        leave_out(suite, without)
    suite.run(Lines())


main(sys.argv[1:])

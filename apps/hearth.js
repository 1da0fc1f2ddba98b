#!/usr/bin/env node
// A clone runs its sources. The package has none of them, and runs what was built from them.
import { existsSync, readFileSync } from "node:fs";

const EXIT_FAILED = 1;

/** An older Node ends with a stack trace, since it lacks a module or cannot read the program. */
const refusalOfOldNode = () => {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  const oldest = manifest.engines.node.replace(">=", "");
  const [oldestMajor, oldestMinor] = oldest.split(".").map(Number);
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return null;
  return `Hearth needs Node ${oldest} or later, and ${process.execPath} is ${process.versions.node}. Install a newer Node, and put it first in PATH. Or let npm bring one for a command: npx --package node@24 -- hearth demo`;
};

const refusal = refusalOfOldNode();
if (refusal === null) {
  const source = new URL("./cli/hearth.ts", import.meta.url);
  await import(existsSync(source) ? source.href : "../dist/hearth.js");
} else {
  process.stderr.write(`ERROR: ${refusal}\n`);
  process.exitCode = EXIT_FAILED;
}

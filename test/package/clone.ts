/**
 * The first block of README, in a fresh clone of what is committed, on a machine whose only Node is
 * 20. `npm test`, the other command of the block, is left out: CI plays it by itself, and a test
 * compares the two.
 */
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { present } from "#lib/errors.ts";
import type { Check } from "../crash/checks.ts";
import { readmeStart } from "../integration/documents/readme-start.ts";
import { installPackage } from "./installed.ts";
import { run } from "./run.ts";
import { terminalWith } from "./terminal.ts";

export const CLONE_NODE = "20";
/** The install and the demo take two minutes, or six on two very busy processors. */
const COMMAND_MS_MAX = 900_000;
const NPX_MS_MAX = 240_000;

const programsOn = (nodes: string, folder: string): string => {
  mkdirSync(folder, { recursive: true });
  const npm = present(process.env["npm_execpath"], "npm's program: run this by npm");
  for (const name of ["npm", "npx"]) {
    const program = join(folder, name);
    const source = npm.replace(/npm-cli\.js$/, `${name}-cli.js`);
    writeFileSync(program, `#!/bin/sh\nexec '${join(nodes, "node")}' '${source}' "$@"\n`);
    chmodSync(program, 0o755);
  }
  return [folder, nodes].join(delimiter);
};

const comparable = (line: string): string => line.replace(/[\d.]+ s$/, "N s").trimEnd();

const notPrinted = (shown: readonly string[], printed: string): readonly string[] => {
  const lines = printed.split("\n").map(comparable);
  let from = 0;
  return shown.filter((line) => {
    const at = lines.indexOf(comparable(line), from);
    if (at >= 0) from = at + 1;
    return at < 0;
  });
};

export async function* cloneChecks(
  root: string,
  nodes: string,
  place: string,
): AsyncGenerator<Check> {
  const clone = join(place, "clone");
  const environment = terminalWith(programsOn(nodes, join(place, "programs")));
  const inClone = (line: string) =>
    run("sh", ["-c", line], { cwd: clone, environment, msMax: COMMAND_MS_MAX });
  const cloned = await run("git", ["clone", "--quiet", root, clone], { cwd: place });
  if (cloned.code !== 0) throw new Error(`git clone failed: ${cloned.stderr}`);
  const { commands, shown } = readmeStart(readFileSync(join(clone, "README.md"), "utf8"));
  const first = present(commands[0], "the first command of README");
  const version = (await inClone("node --version")).stdout.trim();
  yield {
    name: `the machine's Node is ${version}`,
    wrong: version.startsWith(`v${CLONE_NODE}.`) ? [] : [version],
  };
  const begun = performance.now();
  const { code, stdout, stderr } = await inClone(first);
  const seconds = Math.round((performance.now() - begun) / 1_000);
  yield {
    name: `${first}: ${seconds} s`,
    wrong: code === 0 ? [] : [`it ended with ${code}`, stderr],
  };
  yield { name: "it prints what README shows", wrong: notPrinted(shown, stdout) };
  const warned = stderr.split("\n").filter((line) => /npm (?:warn|error)/.test(line));
  yield { name: "npm warns of nothing", wrong: warned };
  const packed = await inClone("npm pack --silent --ignore-scripts");
  const status = await inClone("git status --porcelain");
  const left = [...(packed.code === 0 ? [] : [packed.stderr]), status.stdout];
  yield { name: "git sees no new file, of npm pack neither", wrong: left.filter(Boolean) };
}

const ADVICE = /for a command: (npx .*)$/m;

export async function* refusalChecks(
  tarball: string,
  name: string,
  nodes: string,
  place: string,
): AsyncGenerator<Check> {
  const installed = await installPackage(tarball, name, nodes, place);
  const engine = installed.warnings.filter((line) => line.includes("EBADENGINE"));
  yield {
    name: "npm warns at the installation of the package",
    wrong: engine.length > 0 ? [] : ["no warning"],
  };
  const refused = await installed.hearth("demo");
  const [, advice = ""] = ADVICE.exec(refused.stderr) ?? [];
  const isRefused = refused.code === 1 && advice !== "";
  yield { name: "the command refuses this Node", wrong: isRefused ? [] : [refused.stderr] };
  const bin = join(place, "prefix", "bin");
  const path = [bin, programsOn(nodes, join(place, "programs"))].join(delimiter);
  const helped = await run("sh", ["-c", advice], {
    cwd: place,
    environment: { ...terminalWith(path), npm_config_yes: "true" },
    msMax: NPX_MS_MAX,
  });
  yield { name: `${advice} works`, wrong: helped.code === 0 ? [] : [helped.stderr] };
}

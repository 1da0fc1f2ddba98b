/**
 * `npm run lane -- NAME` runs a program of programs.ts, and so do `bench`, `docs` and `build`.
 * Further words are passed to it. Without a name, the programs are listed.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { PROGRAMS } from "./programs.ts";

const ASSIGNMENT = /^([A-Z_]+)=(.*)$/;

const run = async (line: string, rest: readonly string[]): Promise<number> => {
  const words = line.split(" ");
  const assigned = words.flatMap((word) => {
    const [, name, value] = ASSIGNMENT.exec(word) ?? [];
    return name === undefined ? [] : [[name, value] as const];
  });
  const [program = "", ...options] = words.slice(assigned.length);
  const env = { ...process.env, ...Object.fromEntries(assigned) };
  const child = spawn(program, [...options, ...rest], { stdio: "inherit", env });
  const forward = (signal: NodeJS.Signals): void => {
    child.kill(signal);
  };
  process.on("SIGINT", forward).on("SIGTERM", forward);
  const [code] = await once(child, "close");
  process.off("SIGINT", forward).off("SIGTERM", forward);
  return typeof code === "number" ? code : 1;
};

const listOf = (kind: string, names: readonly string[]): string =>
  [`npm run ${kind} -- NAME, where NAME is one of`, ...names.map((name) => `  ${name}`)].join("\n");

const [, , kind = "", given, ...rest] = process.argv;
const programs = PROGRAMS[kind] ?? {};
const name = given ?? (kind === "build" ? "command" : undefined);
const lines = name === undefined ? undefined : programs[name];
if (lines === undefined) {
  if (name !== undefined) console.error(`"${name}" is no name here.`);
  console.error(listOf(kind, Object.keys(programs)));
  process.exitCode = 1;
} else {
  for (const [at, line] of lines.entries()) {
    process.exitCode = await run(line, at === lines.length - 1 ? rest : []);
    if (process.exitCode !== 0) break;
  }
}

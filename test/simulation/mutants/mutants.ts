/**
 * Mutants: each breaks one rule of the protocol in a copy of the engine's source, and the simulation
 * of that copy must find it. `node test/simulation/mutants/mutants.ts [NAME]` prints the table.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { build, type Plugin } from "esbuild";
import type { Mutant } from "./mutant.ts";
import { MUTANTS } from "./mutant-list.ts";
import { FAULT_MUTANTS } from "./mutant-list-faults.ts";
import { NET_MUTANTS } from "./mutant-list-nets.ts";

export interface Verdict {
  readonly name: string;
  readonly rule: string;
  /** What the simulation said; null: the mutant survived. */
  readonly caughtBy: string | null;
}

export const ALL_MUTANTS: readonly Mutant[] = [...MUTANTS, ...FAULT_MUTANTS, ...NET_MUTANTS];

const RUN_MS_MAX = 180_000;
const root = resolve(import.meta.dirname, "../../..");

/** Here the packages are found, and git does not look. */
const workshop = join(root, ".data/mutants");

/** The file's text with the mutant's edits in it. */
const mutate = async ({ name, edits }: Mutant, file: string): Promise<string> => {
  let text = await readFile(join(root, file), "utf8");
  for (const { find, replace } of edits.filter((one) => one.file === file)) {
    if (!text.includes(find)) {
      throw new Error(`mutant "${name}" no longer applies to ${file}: mend its edits`);
    }
    text = text.replace(find, () => replace);
  }
  return text;
};

const mutation = (mutant: Mutant): Plugin => {
  const files = new Set(mutant.edits.map(({ file }) => file));
  return {
    name: "mutant",
    setup: ({ onLoad }) => {
      onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const file = relative(root, path);
        return files.has(file) ? { contents: await mutate(mutant, file), loader: "ts" } : null;
      });
    },
  };
};

/** Runs the simulation of the engine as it is with the mutant's edits in it, all of it in one file that is quickly started. */
export const tryMutant = async (mutant: Mutant, seeds: number): Promise<Verdict> => {
  for (const { file } of mutant.edits) await mutate(mutant, file);
  await mkdir(workshop, { recursive: true });
  const folder = await mkdtemp(join(workshop, "m"));
  try {
    const outfile = join(folder, "hunt.mjs");
    await build({
      entryPoints: [join(root, "test/simulation/mutants/hunt.ts")],
      ...{ outfile, bundle: true, packages: "external", platform: "node", format: "esm" },
      target: "node24",
      // What is a program by itself elsewhere is none here.
      define: { "import.meta.main": "false" },
      plugins: [mutation(mutant)],
      logLevel: "silent",
    });
    return { name: mutant.name, rule: mutant.rule, caughtBy: await simulate(outfile, seeds) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const simulate = async (script: string, seeds: number): Promise<string | null> => {
  const { stdout } = await promisify(execFile)(process.execPath, [script, String(seeds)], {
    cwd: root,
    timeout: RUN_MS_MAX,
  });
  const verdict = stdout.trim();
  return verdict === "" ? null : verdict;
};

if (import.meta.main) {
  const wanted = process.argv[2];
  let survived = 0;
  for (const mutant of ALL_MUTANTS.filter(
    (one) => wanted === undefined || one.name.includes(wanted),
  )) {
    const { name, rule, caughtBy } = await tryMutant(mutant, 6_000);
    if (caughtBy === null) survived++;
    console.log(`| ${name} | ${rule} | ${caughtBy ?? "SURVIVED"} |`);
  }
  console.log(`${survived} survived`);
}

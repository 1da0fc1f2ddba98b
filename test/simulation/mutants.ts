/**
 * Mutants: each breaks one rule of the protocol in a copy of the engine's source, and the simulation
 * of that copy must find it. `node test/simulation/mutants.ts [NAME]` prints the table.
 */
import { execFile } from "node:child_process";
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
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
const root = resolve(import.meta.dirname, "../..");

/** Runs the simulation of a copy of the engine with the mutant's edits in it. */
export const tryMutant = async (mutant: Mutant, seeds: number): Promise<Verdict> => {
  const folder = await mkdtemp(join(tmpdir(), "hearth-mutant-"));
  try {
    for (const part of ["package.json", "lib", "test/simulation"]) {
      await cp(join(root, part), join(folder, part), { recursive: true });
    }
    await symlink(join(root, "node_modules"), join(folder, "node_modules"));
    for (const { file, find, replace } of mutant.edits) {
      const path = join(folder, file);
      const before = await readFile(path, "utf8");
      if (!before.includes(find)) {
        throw new Error(`mutant "${mutant.name}" no longer applies to ${file}: mend its edits`);
      }
      await writeFile(
        path,
        before.replace(find, () => replace),
      );
    }
    return { name: mutant.name, rule: mutant.rule, caughtBy: await simulate(folder, seeds) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

const simulate = async (folder: string, seeds: number): Promise<string | null> => {
  const script = join(folder, "test/simulation/hunt.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [script, String(seeds)], {
    cwd: folder,
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

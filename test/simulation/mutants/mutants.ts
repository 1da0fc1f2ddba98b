/**
 * Each mutant breaks one rule of the protocol in a copy of the engine's source, and the simulation
 * of that copy must find it. `node test/simulation/mutants/mutants.ts [NAME]` prints the table.
 */

import { chosenBy } from "#test/lanes/chosen.ts";
import { DELETES_AT_ONCE_MUTANTS } from "./deletes-at-once-mutants.ts";
import { EXTERNAL_OBJECT_MUTANTS } from "./external-object-mutants.ts";
import { GRAPH_PARTS_MUTANTS } from "./graph-parts-mutants.ts";
import { GROUP_MUTANTS } from "./group-mutants.ts";
import { GROUP_TARGET_MUTANTS } from "./group-target-mutants.ts";
import { type Hunters, hunters } from "./hunters.ts";
import { KEPT_LEASE_MUTANTS } from "./kept-lease-mutants.ts";
import type { Mutant } from "./mutant.ts";
import { MUTANTS } from "./mutant-list.ts";
import { FAULT_MUTANTS } from "./mutant-list-faults.ts";
import { NET_MUTANTS } from "./mutant-list-nets.ts";
import { PARTIAL_GROUP_MUTANTS } from "./partial-group-mutants.ts";
import { PARTIAL_MUTANTS } from "./partial-mutants.ts";
import { PREVIEW_MUTANTS } from "./preview-mutants.ts";
import { RESTORED_MUTANTS } from "./restored-mutants.ts";
import { SCALING_MUTANTS } from "./scaling-mutants.ts";
import { LOST_CREATION_MUTANTS, SHARED_OBJECT_MUTANTS } from "./shared-object-mutants.ts";
import { SUPERSEDED_MUTANTS } from "./superseded-mutants.ts";
import { SWEEPER_MUTANTS } from "./sweeper-mutants.ts";
import { WAITING_DELETE_MUTANTS } from "./waiting-delete-mutants.ts";
import { openWorkshop, type Workshop } from "./workshop.ts";

export interface Verdict {
  readonly name: string;
  readonly rule: string;
  readonly caughtBy: string | null;
}

export const ALL_MUTANTS: readonly Mutant[] = [
  ...MUTANTS,
  ...FAULT_MUTANTS,
  ...NET_MUTANTS,
  ...SWEEPER_MUTANTS,
  ...SUPERSEDED_MUTANTS,
  ...SHARED_OBJECT_MUTANTS,
  ...EXTERNAL_OBJECT_MUTANTS,
  ...LOST_CREATION_MUTANTS,
  ...GROUP_MUTANTS,
  ...GROUP_TARGET_MUTANTS,
  ...SCALING_MUTANTS,
  ...DELETES_AT_ONCE_MUTANTS,
  ...PARTIAL_MUTANTS,
  ...PARTIAL_GROUP_MUTANTS,
  ...KEPT_LEASE_MUTANTS,
  ...GRAPH_PARTS_MUTANTS,
  ...PREVIEW_MUTANTS,
  ...WAITING_DELETE_MUTANTS,
  ...RESTORED_MUTANTS,
];

export class MutantTrials {
  readonly #hunters: Hunters = hunters();
  readonly #workshop: Promise<Workshop> = openWorkshop(ALL_MUTANTS);
  #lastBuild: Promise<unknown> = Promise.resolve();

  /** `former` is the failure that an earlier hunt found. It is tried first. */
  async run(mutant: Mutant, seeds: number, former: string | null = null): Promise<Verdict> {
    const { name, rule } = mutant;
    const bundle = await this.#build(mutant);
    return { name, rule, caughtBy: await this.#hunters.hunt({ bundle, rule, seeds, former }) };
  }

  /** Trials overlap, but the workshop builds one mutant at a time. */
  #build(mutant: Mutant): Promise<string> {
    const build = this.#lastBuild.then(async () => (await this.#workshop).build(mutant));
    this.#lastBuild = build.catch(() => undefined);
    return build;
  }

  async close(): Promise<void> {
    await this.#hunters.close();
    await (await this.#workshop).close();
  }
}

if (import.meta.main) {
  const wanted = chosenBy(process.argv[2], ALL_MUTANTS, ({ name }) => name);
  const trials = new MutantTrials();
  let survived = 0;
  for (const mutant of wanted) {
    const { name, rule, caughtBy } = await trials.run(mutant, 6_000);
    if (caughtBy === null) survived++;
    console.log(`| ${name} | ${rule} | ${caughtBy ?? "SURVIVED"} |`);
  }
  console.log(`${wanted.length} mutants, ${survived} survived`);
  await trials.close();
  process.exitCode = survived === 0 ? 0 : 1;
}

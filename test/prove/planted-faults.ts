/**
 * Mutants of the simulation that an exhaustive search must find too, each in one configuration.
 * `node test/prove/planted-faults.ts [NAME]` prints how many states the search needs.
 */
import { pathToFileURL } from "node:url";
import { present } from "#lib/errors.ts";
import { chosenBy } from "#test/lanes/chosen.ts";
import { GROUP_MUTANTS } from "../simulation/mutants/group-mutants.ts";
import type { Mutant } from "../simulation/mutants/mutant.ts";
import { SCALING_MUTANTS } from "../simulation/mutants/scaling-mutants.ts";
import { openWorkshop } from "../simulation/mutants/workshop.ts";
import type { Report } from "./search.ts";
import type { searchGroup } from "./search-groups.ts";

interface PlantedFault {
  readonly mutant: string;
  readonly within: string;
}

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  {
    mutant: "a scaling is accepted on the nested stack as it is by then",
    within: "scaling group, two signals; 1 at work",
  },
  {
    mutant: "the row of a group is read before its nested stack",
    within: "scaling group, update and signal; 1 at work",
  },
  {
    mutant: "the row of a group does not count",
    within: "scaling group, update and signal; 1 at work",
  },
  {
    mutant: "a group is scaled while it is scaled",
    within: "scaling group, two signals; 1 at work",
  },
  {
    mutant: "a signal ignores the cooldown",
    within: "scaling group, signal in a cooldown and after it; 1 at work",
  },
  {
    mutant: "an action of the parent fails beside a scaling",
    within: "scaling group, signal and suspend; 1 at work",
  },
  {
    mutant: "an action that waits for a scaling never asks again",
    within: "scaling group, signal and suspend; 1 at work",
  },
  {
    mutant: "a signal leaves the bounds",
    within: "scaling group, signal to the largest group; 1 at work",
  },
  { mutant: "a group is polled by its handle", within: "group of one, roll; 1 at work, crash 1" },
  {
    mutant: "members that are not there count as serving",
    within: "group of one, roll overtaken by update; 1 at work",
  },
  {
    mutant: "an overtaken target is no reason to roll",
    within: "group of one, roll overtaken by one more; 1 at work",
  },
  { mutant: "the surplus goes before its roll", within: "group of two, roll; 1 at work" },
  { mutant: "a roll keeps no member in service", within: "group of two, roll; 1 at work" },
  { mutant: "batches do not wait for each other", within: "group of two, roll; 1 at work" },
  { mutant: "a roll ends with its surplus", within: "group of one, roll; 1 at work" },
];

const ALL: readonly Mutant[] = [...GROUP_MUTANTS, ...SCALING_MUTANTS];

export const searchPlanted = async (
  planted: readonly PlantedFault[],
  statesMax: number,
  onReport: (fault: PlantedFault, report: Report) => void,
): Promise<void> => {
  const workshop = await openWorkshop(ALL, "test/prove/search-groups.ts");
  try {
    for (const fault of planted) {
      const mutant = ALL.find(({ name }) => name === fault.mutant);
      const bundle = await workshop.build(present(mutant, `a mutant "${fault.mutant}"`));
      const mutated: { readonly searchGroup: typeof searchGroup } = await import(
        pathToFileURL(bundle).href
      );
      onReport(fault, await mutated.searchGroup(fault.within, statesMax));
    }
  } finally {
    await workshop.close();
  }
};

const STATES_MAX = 1_000_000;

if (import.meta.main) {
  const some = chosenBy(process.argv[2], PLANTED_FAULTS, ({ mutant }) => mutant);
  await searchPlanted(some, STATES_MAX, ({ mutant, within }, { states, violation }) => {
    console.log(`| ${mutant} | ${within} | ${states} | ${violation?.what ?? "SURVIVED"} |`);
  });
}

/** Which stories are played in which deployment, and in what order. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runContractSuite } from "./contract-suite.ts";
import type { Deployment } from "./deployment.ts";
import { emptyTables, functionsThatDidNot, functionsThatRan, itemsText } from "./inventory.ts";
import type { Lane, Story } from "./lane.ts";
import type { Emulator } from "./ministack.ts";
import type { Results } from "./results.ts";
import { agents } from "./stories/agents.ts";
import { demo } from "./stories/demo.ts";
import { doctorStories } from "./stories/doctor.ts";
import { iam } from "./stories/iam.ts";
import { ladderStory } from "./stories/ladder.ts";
import { largeAnswers } from "./stories/large-answers.ts";
import { lifecycleStories } from "./stories/lifecycle.ts";
import { nothingLeaked, securityStories } from "./stories/security.ts";
import { rotating, signalling } from "./stories/software.ts";
import { harshStories, nothingLeft, quickTroubleStories, timingOut } from "./stories/trouble.ts";
import { upgrade } from "./stories/upgrade.ts";

const SUITE = "the contract suite";

export interface Stage {
  readonly name: string;
  /** Whether anything of it is played. */
  readonly isWanted: boolean;
  play(lane: Lane, deployment: Deployment): Promise<void>;
}

export interface Run {
  readonly results: Results;
  readonly say: Lane["say"];
  /** Of a partial run: what the names of its stories hold. */
  readonly only: string | undefined;
  /** Null: one that was not started here. */
  readonly emulator: Emulator | null;
}

const isWanted = ({ only = "" }: Run, names: readonly string[]): boolean =>
  names.some((name) => name.includes(only));

const namesOf = (stories: readonly Story[]): readonly string[] => stories.map(({ name }) => name);

const contractSuite = async (run: Run, deployment: Deployment): Promise<void> => {
  if (!isWanted(run, [SUITE])) return;
  run.say(`${SUITE}, against the same emulator`);
  const { passed, skipped, failed } = await runContractSuite(deployment);
  const where = run.emulator === null ? deployment.endpoint : "MiniStack";
  const besides = skipped > 0 ? `, ${skipped} skipped` : "";
  run.results.check(`${SUITE} passes on ${where}: ${passed} tests${besides}`, failed);
};

/** Of a whole run: a part of one leaves functions and tables untouched. */
const report = async (run: Run, { stage, folder }: Deployment, { account }: Lane) => {
  const { results, say, emulator, only } = run;
  writeFileSync(join(folder, `functions-${stage}.log`), await account.logsText());
  const items = await account.countItems();
  say(`items in ${stage}: ${itemsText(items)}`);
  const ran = functionsThatRan(stage, emulator?.lookForWorkers() ?? []);
  if (emulator) say(`${ran.length} functions of ${stage} ran as processes: ${ran.join(", ")}`);
  if (only !== undefined) return;
  results.check("every table holds items", emptyTables(items));
  const everyFunction = "every function ran as a process of its own";
  if (emulator) results.check(everyFunction, functionsThatDidNot(ran));
  else results.skip(everyFunction, "the emulator's processes are out of sight");
};

export const calmStage = (run: Run): Stage => {
  const { results, emulator } = run;
  const inTurn = [
    ...securityStories,
    ...doctorStories,
    iam,
    ...lifecycleStories,
    largeAnswers,
    demo(emulator?.certificate),
    signalling,
    ...quickTroubleStories,
  ];
  // What mostly waits goes beside the rest.
  const beside = [timingOut, agents(emulator?.certificate)];
  return {
    name: "calm",
    isWanted: isWanted(run, [...namesOf([...inTurn, ...beside, rotating, upgrade]), SUITE]),
    play: async (lane, deployment) => {
      await Promise.all([
        ...beside.map((story) => results.play(lane, story)),
        results.inTurn(lane, inTurn),
      ]);
      // The suite has tables of its own, and asks no function.
      await Promise.all([
        results.inTurn(lane, [rotating, upgrade]),
        contractSuite(run, deployment),
      ]);
      await results.inTurn(lane, [nothingLeft, nothingLeaked]);
      await report(run, deployment, lane);
    },
  };
};

/**
 * Stories that kill workers and empty queues have a deployment of their own: what they do would reach
 * every other stack. It stands in the same account, as a user's second stage does.
 */
export const harshStage = (run: Run): Stage => {
  const { stories, harmIsDone } = harshStories();
  return {
    name: "harsh",
    isWanted: isWanted(run, namesOf([...stories, ladderStory])),
    play: async (lane) => {
      const { results } = run;
      const others = stories.map((story) => results.play(lane, story));
      // The ladder's own kills and losses have their places; the others' would only add to them.
      const alone = Promise.race([harmIsDone, Promise.all(others)]);
      await Promise.all([...others, alone.then(() => results.play(lane, ladderStory))]);
      await results.inTurn(lane, [nothingLeft, nothingLeaked]);
    },
  };
};

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CloudControlBeside } from "./cloud-control.ts";
import { runContractSuite } from "./contract-suite.ts";
import type { Deployment } from "./deployment.ts";
import type { EmulatorKind } from "./emulators.ts";
import { emptyTables, functionsThatDidNot, functionsThatRan, itemsText } from "./inventory.ts";
import type { Lane, Story } from "./lane.ts";
import type { Emulator } from "./ministack.ts";
import { NO_PLUG_IN, type PlugIn } from "./plug-in.ts";
import { LEFT_OUT, type Results } from "./results.ts";
import { agents } from "./stories/agents.ts";
import { attacked } from "./stories/attacks.ts";
import { awsTypes, MADE_UNDER_A_ROLE } from "./stories/aws-types.ts";
import { clients } from "./stories/clients.ts";
import { consoleStory } from "./stories/console.ts";
import { consoleInBrowser } from "./stories/console-in-browser.ts";
import { deadLetterStories } from "./stories/dead-letters.ts";
import { supervised, timingOut } from "./stories/deadlines.ts";
import { demo } from "./stories/demo.ts";
import { doctorStories } from "./stories/doctor.ts";
import { iam } from "./stories/iam.ts";
import { ladderStory } from "./stories/ladder.ts";
import { largeAnswers } from "./stories/large-answers.ts";
import { lifecycleStories } from "./stories/lifecycle.ts";
import { harshStories, nothingLeft } from "./stories/losses.ts";
import { operatorsCommands } from "./stories/operators-commands.ts";
import { plugIns } from "./stories/plug-ins.ts";
import { replayed } from "./stories/replay.ts";
import { requestLimit } from "./stories/request-limit.ts";
import { restoring } from "./stories/restore.ts";
import { nothingLeaked, securityStories } from "./stories/security.ts";
import { servers } from "./stories/servers.ts";
import { moving, rotating, signalling } from "./stories/software.ts";
import { upgrade } from "./stories/upgrade.ts";

const SUITE = "the contract suite";

export interface Stage {
  readonly name: string;
  readonly names: readonly string[];
  play(lane: Lane, deployment: Deployment): Promise<void>;
}

export interface Run {
  readonly results: Results;
  readonly say: Lane["say"];
  readonly only: string | undefined;
  readonly kind: EmulatorKind;
  readonly emulator: Emulator | null;
  readonly plugIn: PlugIn;
  readonly cloudControl: CloudControlBeside;
}

const namesOf = (stories: readonly Story[]): readonly string[] => stories.map(({ name }) => name);

const contractSuite = async (run: Run, deployment: Deployment): Promise<void> => {
  if (!SUITE.includes(run.only ?? "")) return;
  run.say(`${SUITE}, against the same emulator`);
  if (run.results.isShort) return run.results.skip(SUITE, LEFT_OUT);
  const { passed, skipped, failed } = await runContractSuite(deployment);
  const besides = skipped > 0 ? `, ${skipped} skipped` : "";
  run.results.check(`${SUITE} passes on ${run.kind.name}: ${passed} tests${besides}`, failed);
};

const report = async (run: Run, { stage, folder }: Deployment, { account }: Lane) => {
  const { results, say, emulator } = run;
  writeFileSync(join(folder, `functions-${stage}.log`), await account.logsText());
  const items = await account.countItems();
  say(`items in ${stage}: ${itemsText(items)}`);
  const ran = functionsThatRan(account.functionNames, emulator?.lookForWorkers() ?? []);
  if (emulator) {
    say(`${ran.length} functions of ${stage} ran as processes: ${ran.join(", ")}`);
    for (const line of emulator.failedStarts()) say(line);
  }
  if (!results.isWhole) return;
  results.check("every table holds items", emptyTables(items));
  const everyFunction = "every function ran as a process of its own";
  if (emulator) results.check(everyFunction, functionsThatDidNot(ran));
  else results.skip(everyFunction, `${run.kind.name}'s processes are out of the lane's sight`);
};

type Besides = Pick<Run, "emulator" | "plugIn">;

const calmStories = ({ emulator, plugIn }: Besides) => ({
  inTurn: [
    ...securityStories,
    consoleStory,
    consoleInBrowser,
    operatorsCommands(emulator?.certificate),
    ...doctorStories,
    requestLimit,
    iam,
    ...lifecycleStories,
    largeAnswers,
    plugIns(plugIn),
    servers,
    demo(emulator?.certificate),
    clients(emulator?.certificate),
    signalling,
    moving,
    supervised,
    ...deadLetterStories,
  ],
  // Stories that mostly wait run beside the others.
  beside: [timingOut, agents(emulator?.certificate)],
  after: [rotating, upgrade, restoring],
});

const calmNames = (besides: Besides): readonly string[] => [
  ...Object.values(calmStories(besides)).flatMap(namesOf),
  SUITE,
];

const harshNames = (): readonly string[] => [
  ...namesOf([...harshStories().stories, ladderStory, replayed]),
  MADE_UNDER_A_ROLE,
];

export const storyNames = (): readonly string[] => [
  ...calmNames({ emulator: null, plugIn: NO_PLUG_IN }),
  ...harshNames(),
];

export const calmStage = (run: Run): Stage => {
  const { results } = run;
  const { inTurn, beside, after } = calmStories(run);
  return {
    name: "calm",
    names: calmNames(run),
    play: async (lane, deployment) => {
      await Promise.all([
        ...beside.map((story) => results.play(lane, story)),
        results.inTurn(lane, inTurn),
      ]);
      await Promise.all([results.inTurn(lane, after), contractSuite(run, deployment)]);
      await results.inTurn(lane, [nothingLeft, nothingLeaked]);
      await report(run, deployment, lane);
    },
  };
};

/**
 * The story has its own stage, because it leaves thousands of stacks and fills the queues with
 * their visits.
 */
export const attackedStage =
  (requests: number) =>
  ({ results }: Run): Stage => {
    const story = attacked(requests);
    return { name: "attacked", names: [story.name], play: (lane) => results.play(lane, story) };
  };

/**
 * Stories that kill workers and empty queues would disturb every other stack, so they have their
 * own deployment. It is in the same account, like a user's second stage.
 */
export const harshStage = (run: Run): Stage => {
  const { stories, harmIsDone } = harshStories();
  const made = awsTypes(run.cloudControl);
  return {
    name: "harsh",
    names: harshNames(),
    play: async (lane) => {
      const { results } = run;
      const others = stories.map((story) => results.play(lane, story));
      // The ladder plans its own kills and losses; those of other stories would add to them.
      const alone = Promise.race([harmIsDone, Promise.all(others)]);
      await Promise.all([...others, alone.then(() => results.play(lane, ladderStory))]);
      // These stories kill workers, so they run alone.
      await results.play(lane, made);
      await results.play(lane, replayed);
      await results.inTurn(lane, [nothingLeft, nothingLeaked]);
    },
  };
};

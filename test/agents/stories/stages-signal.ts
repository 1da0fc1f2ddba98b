/** Causes stage 6 of docs/deployments.md: the run has ended, but its result does not arrive. */
import { equal, match } from "node:assert/strict";
import { create, ends, remove, type StackRef, update } from "../../aws/lane.ts";
import { aheadStory } from "../ahead.ts";
import { hearth } from "../commands.ts";
import { expectDiagnoseCommand, expectVerdict } from "../diagnoses.ts";
import { type Gateway, openGateway, openOtherSite } from "../gateway.ts";
import { bootMachine } from "../machine.ts";
import {
  metadataUrl,
  openServer,
  type Rig,
  reasons,
  STORY_MS_MAX,
  type Story,
  statusOf,
} from "../rig.ts";
import { webTemplate } from "../web-template.ts";

const CANNOT_SIGNAL = { stage: 6, cause: "cannot_signal" } as const;
const FINISHED = { stage: null, cause: "finished", certain: true } as const;

/** RFC 2606 reserves this top-level domain, so the name never resolves. */
const NO_SUCH_HOST = "http://hearth.invalid";

const deploymentCommand = async (rig: Rig, verb: string, ...words: readonly string[]) => {
  const { exitCode, printed } = await hearth(rig, "deployment", verb, ...words);
  equal(exitCode, 0, printed);
};

const cutQuery: Story = {
  name: "stage 6: a proxy cuts the signal's URL: Hearth refuses the result, says why, and a retry brings it",
  play: async (rig) => {
    const stack = await create(rig, "cut-query", webTemplate("echo done"));
    const url = await metadataUrl(rig, stack);
    const gateway = await openGateway(url);
    gateway.signals("without_query");
    const server = openServer(rig, "cut-query");
    server.start(gateway.through(url));
    const summary =
      /^a signal for this deployment was refused .* ago because its URL has no complete signature$/;
    await expectVerdict(rig, stack, "run", { ...CANNOT_SIGNAL, certain: true, summary });
    await expectDiagnoseCommand(rig, stack, "run", summary, 1);
    gateway.signals("open");
    await deploymentCommand(rig, "retry", "cut-query", "run");
    await ends(rig, stack, "CREATE_COMPLETE", STORY_MS_MAX);
    equal(server.begun(), 2);
    await expectVerdict(rig, stack, "run", { ...FINISHED, summary: /^CREATE ended COMPLETE/ });
    await server.kill();
    await gateway.close();
    await remove(rig, stack);
  },
};

const UNSENT =
  /^the run on server web has ended, but its agent cannot deliver the result \(reported /;

const ownCannotSignal = (
  folder: string,
  name: string,
  obstruct: (gateway: Gateway) => void,
  mend: (rig: Rig, stack: StackRef, gateway: Gateway) => Promise<void>,
): Story => ({
  name,
  play: async (rig) => {
    const stack = await create(rig, folder, webTemplate("echo done"));
    const gateway = await openGateway(await metadataUrl(rig, stack));
    obstruct(gateway);
    const machine = await bootMachine(rig, folder, folder, { userData: gateway.through });
    await expectVerdict(rig, stack, "run", { ...CANNOT_SIGNAL, certain: true, summary: UNSENT });
    await expectDiagnoseCommand(rig, stack, "run", UNSENT, 1);
    equal(await statusOf(rig, stack), "CREATE_IN_PROGRESS");
    await mend(rig, stack, gateway);
    await ends(rig, stack, "CREATE_COMPLETE", STORY_MS_MAX);
    await expectVerdict(rig, stack, "run", { ...FINISHED, summary: /^CREATE ended COMPLETE/ });
    await machine.kill();
    await gateway.close();
    await remove(rig, stack);
  },
});

const ownFirewall = ownCannotSignal(
  "own-firewall",
  "stage 6: a firewall cuts the signals of Hearth's agent: certain by its polls, over when it opens",
  (gateway) => gateway.signals("closed"),
  async (rig, stack, gateway) => {
    gateway.signals("open");
    await ends(rig, stack, "CREATE_COMPLETE", STORY_MS_MAX);
    // The agent has only repeated the result. A second run would have signalled its start.
    equal((await reasons(rig, stack, "run")).filter((text) => /started run/.test(text)).length, 0);
  },
);

const ownWrongName = ownCannotSignal(
  "own-wrong-name",
  "stage 6: the name in the signal's URL does not resolve: Hearth's agent reports it, a user sets the result",
  (gateway) => gateway.nameSignals(NO_SUCH_HOST),
  (rig) => deploymentCommand(rig, "set-result", "own-wrong-name", "run", "--status", "COMPLETE"),
);

const stockFirewall = aheadStory(
  "stock-firewall",
  "stage 6: a new firewall cuts the signals of stock agents: a lost signal is likely",
  async (rig) => {
    const stack = await create(rig, "firewall", webTemplate("true"));
    const url = await metadataUrl(rig, stack);
    const gateway = await openGateway(url);
    const server = openServer(rig, "firewall");
    server.start(gateway.through(url));
    await ends(rig, stack, "CREATE_COMPLETE", STORY_MS_MAX);
    gateway.signals("closed");
    await update(rig, stack, webTemplate("echo anew"));
    const applied = /^server web applied it .* ago; its signal should arrive soon$/;
    const due = { stage: null, cause: "running", certain: false, summary: applied } as const;
    await expectVerdict(rig, stack, "run", due);
    rig.goAhead(2);
    const lost =
      /^server web applied it .* although it has signalled for script before: the signal is lost, or/;
    await expectVerdict(rig, stack, "run", { ...CANNOT_SIGNAL, certain: false, summary: lost });
    await expectDiagnoseCommand(rig, stack, "run", /^Probably: server web applied it/, 1);
    equal(server.begun(), 2);
    await server.kill();
    await gateway.close();
  },
);

const wrongHost = aheadStory(
  "wrong-host",
  "stage 6: the signal's URL leads to another web server: likely with stock agents, certain with Hearth's",
  async (rig) => {
    const site = await openOtherSite();
    const stack = await create(rig, "wrong-host", webTemplate("true"));
    const url = await metadataUrl(rig, stack);
    const gateway = await openGateway(url);
    gateway.nameSignals(site.origin);
    const server = openServer(rig, "wrong-host");
    server.start(gateway.through(url));
    await expectVerdict(rig, stack, "run", {
      stage: null,
      cause: "running",
      certain: false,
      summary: /^server web applied it .* ago; its signal should arrive soon$/,
    });
    rig.goAhead(2);
    const never = /^server web applied it .* no signal from this server has ever arrived/;
    const { verdict } = await expectVerdict(rig, stack, "run", {
      ...CANNOT_SIGNAL,
      certain: false,
      summary: never,
    });
    match(verdict.advice.join("\n"), /whether the URL in deploy_signal_id is reachable/);
    await server.kill();
    const machine = await bootMachine(rig, "wrong-host", "machine", { userData: gateway.through });
    await expectVerdict(rig, stack, "run", { ...CANNOT_SIGNAL, certain: true, summary: UNSENT });
    await machine.kill();
    await gateway.close();
    await site.close();
  },
);

export const signalStageStories: readonly Story[] = [
  cutQuery,
  ownFirewall,
  ownWrongName,
  stockFirewall,
  wrongHost,
];

/** Causes stages 1 to 3 of docs/deployments.md: no poll of the server is answered. */
import { deepEqual, equal, match } from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { create, ends, remove, update } from "../../aws/lane.ts";
import { aheadStory } from "../ahead.ts";
import { expectDiagnoseCommand, expectVerdict, report } from "../diagnoses.ts";
import { openGateway } from "../gateway.ts";
import { bootMachine, canCutOff, type MachineOptions } from "../machine.ts";
import { openOwnServer } from "../own-agent.ts";
import { metadataUrl, openServer, STORY_MS_MAX, type Story, until } from "../rig.ts";
import { WEB, webTemplate } from "../web-template.ts";

const NOT_BOOTED = { stage: 1, cause: "server_not_booted" } as const;
const NO_NETWORK = { stage: 2, cause: "no_network" } as const;
const NOT_REACHED = { stage: 3, cause: "metadata_not_reached" } as const;
const WAITING = { stage: null, cause: "waiting", certain: true } as const;
const FINISHED = { stage: null, cause: "finished", certain: true } as const;

const diesInItsBoot: Story = {
  name: "stage 1: a machine dies before its bootstrap script: certain once reported, over when the next boots",
  play: async (rig) => {
    const stack = await create(rig, "dies", webTemplate("true"));
    await metadataUrl(rig, stack);
    const broken = await bootMachine(rig, "dies", "dies-first", { boot: "kill -KILL $$" });
    const fault = `the machine ended with ${await broken.ended} in its boot`;
    await report(rig, stack, WEB, "--status", "ERROR", "--fault", fault);
    await expectVerdict(rig, stack, "run", {
      ...NOT_BOOTED,
      certain: true,
      summary: /^server web is not running: reported ERROR .* ended with SIGKILL in its boot$/,
    });
    await expectDiagnoseCommand(
      rig,
      stack,
      "run",
      /^server web is not running: reported ERROR /,
      1,
    );
    const sound = await bootMachine(rig, "dies", "dies-second");
    await ends(rig, stack, "CREATE_COMPLETE", STORY_MS_MAX);
    await expectVerdict(rig, stack, "run", { ...FINISHED, summary: /^CREATE ended COMPLETE/ });
    await sound.kill();
    equal(sound.isRunning(), false);
    await report(rig, stack, WEB, "--status", "SHUTOFF");
    await update(rig, stack, webTemplate("echo anew"));
    await expectVerdict(rig, stack, "run", {
      ...NOT_BOOTED,
      certain: true,
      summary: /^server web is not running: reported SHUTOFF /,
    });
    await remove(rig, stack);
  },
};

const hangsInItsBoot = aheadStory(
  "hangs",
  "stage 1: a machine hangs in its boot: likely, without a report and while reported as being built",
  async (rig) => {
    const stack = await create(rig, "hangs", webTemplate("true"));
    await metadataUrl(rig, stack);
    const machine = await bootMachine(rig, "hangs", "hangs", { boot: "exec sleep infinity" });
    await expectVerdict(rig, stack, "run", {
      ...WAITING,
      summary: /server web has not polled yet$/,
    });
    rig.goAhead(2);
    const { verdict } = await expectVerdict(rig, stack, "run", {
      ...NOT_BOOTED,
      certain: false,
      summary: /^server web has never polled, and nothing else is known of it/,
    });
    match(verdict.advice.join("\n"), /hearth server report/);
    await report(rig, stack, WEB, "--status", "BUILD");
    const summary = /^server web has never polled: it is still being built/;
    await expectVerdict(rig, stack, "run", { ...NOT_BOOTED, certain: false, summary });
    await expectDiagnoseCommand(rig, stack, "run", /^Probably: server web has never polled/, 1);
    equal(machine.isRunning(), true);
    await machine.kill();
  },
);

/** Without network namespaces, the machine gets an address where nothing listens. */
const unreachable = async (url: string): Promise<MachineOptions> => {
  const gateway = await openGateway(url);
  await gateway.close();
  return { userData: gateway.through };
};

const withoutAddress = aheadStory(
  "no-address",
  "stage 2: a machine runs without an address: certain once reported",
  async (rig) => {
    const stack = await create(rig, "no-address", webTemplate("true"));
    const url = await metadataUrl(rig, stack);
    const cut = canCutOff() ? { isCutOff: true } : await unreachable(url);
    const machine = await bootMachine(rig, "no-address", "no-address", cut);
    await report(rig, stack, WEB, "--status", "ACTIVE", "--no-address");
    await until("its agent has failed to poll", () => machine.log().includes("document polled"));
    await expectVerdict(rig, stack, "run", {
      ...WAITING,
      summary: /server web has not polled yet$/,
    });
    rig.goAhead(2);
    await expectVerdict(rig, stack, "run", {
      ...NO_NETWORK,
      certain: true,
      summary:
        /^server web runs without an IP address \(reported 2 min ago\) and has never polled$/,
    });
    await expectDiagnoseCommand(rig, stack, "run", /^server web runs without an IP address/, 1);
    equal(machine.isRunning(), true);
    await machine.kill();
  },
);

const withoutRoute = aheadStory(
  "no-route",
  "stage 2: a machine with an address does not reach Hearth: its network is the likely cause",
  async (rig) => {
    const stack = await create(rig, "no-route", webTemplate("true"));
    const way = await unreachable(await metadataUrl(rig, stack));
    const machine = await bootMachine(rig, "no-route", "no-route", way);
    await report(rig, stack, WEB, "--status", "ACTIVE", "--address", "192.0.2.7");
    await until("its agent has failed to poll", () => machine.log().includes("ECONNREFUSED"));
    rig.goAhead(2);
    const summary = /^server web runs at 192\.0\.2\.7 .* has never contacted Hearth/;
    await expectVerdict(rig, stack, "run", { ...NO_NETWORK, certain: false, summary });
    await machine.kill();
  },
);

const fullDisk: Story = {
  name: "stage 3: a failing bootstrap script reports it, so the verdict is certain",
  play: async (rig) => {
    const stack = await create(rig, "full-disk", webTemplate("true"));
    const gateway = await openGateway(await metadataUrl(rig, stack));
    const machine = await bootMachine(rig, "full-disk", "full-disk", {
      userData: gateway.through,
      programs: { mkdir: "#!/bin/sh\necho 'mkdir: No space left on device' >&2\nexit 1\n" },
    });
    const summary = /^the bootstrap script of server web failed .* so no agent polls$/;
    await expectVerdict(rig, stack, "run", { ...NOT_REACHED, certain: true, summary });
    match(machine.log(), /No space left/);
    await expectDiagnoseCommand(rig, stack, "run", /^the bootstrap script of server web failed/, 1);
    await machine.kill();
    await gateway.close();
    await remove(rig, stack);
  },
};

const SOME_SERVER = "00000000-0000-4000-8000-000000000000";

const wrongUrl: Story = {
  name: "stage 3: agents with a wrong URL: likely with an unknown server's; a wrong signature is named",
  play: async (rig) => {
    const stack = await create(rig, "wrong-url", webTemplate("true"));
    const url = await metadataUrl(rig, stack);
    const own = await openOwnServer(rig, "wrong-url", []);
    const file = join(own.root, "etc/hearth-agent.url");
    equal(readFileSync(file, "utf8").trim(), url);
    writeFileSync(file, url.replace(/metadata\/[^?]+/, `metadata/${SOME_SERVER}`));
    own.start();
    await until("the agent has failed to poll", () => own.log().includes("answered 404"));
    const installed = /^the agent of server web was installed .* ago but has never polled$/;
    await expectVerdict(rig, stack, "run", { ...NOT_REACHED, certain: false, summary: installed });
    await own.kill();
    const stock = openServer(rig, "wrong-token");
    stock.start(url.replace(/sig=.{8}/, "sig=AAAAAAAA"));
    const { verdict } = await expectVerdict(rig, stack, "run", {
      ...NOT_REACHED,
      certain: false,
      summary: /^server web has never polled successfully: a poll was refused .* not valid/,
    });
    match(verdict.advice.join("\n"), /compare the URL in the agent's configuration/);
    await expectDiagnoseCommand(
      rig,
      stack,
      "run",
      /^Probably: server web has never polled successfully/,
      1,
    );
    await stock.kill();
    writeFileSync(file, url);
    own.start();
    await ends(rig, stack, "CREATE_COMPLETE", STORY_MS_MAX);
    await expectVerdict(rig, stack, "run", { ...FINISHED, summary: /^CREATE ended COMPLETE/ });
    await own.kill();
    await remove(rig, stack);
  },
};

const cutShort = aheadStory(
  "cut-short",
  "stage 3: a bootstrap script that never finishes, then an agent that never starts: certain after a while",
  async (rig) => {
    const stack = await create(rig, "cut-short", webTemplate("true"));
    await metadataUrl(rig, stack);
    const first = await bootMachine(rig, "cut-short", "cut-short", {
      programs: { base64: "#!/bin/sh\nkill -KILL 0\n" },
    });
    equal(await first.ended, "SIGKILL");
    const booted = /^server web has booted and has been installing its agent for/;
    await expectVerdict(rig, stack, "run", { ...WAITING, summary: booted });
    rig.goAhead(11);
    const began = /^the bootstrap script of server web began 11 min ago and has not finished/;
    await expectVerdict(rig, stack, "run", { ...NOT_REACHED, certain: true, summary: began });
    const second = await bootMachine(rig, "cut-short", "no-service", { hasService: false });
    const installed = /^the agent of server web was installed .* ago but has never polled$/;
    await expectVerdict(rig, stack, "run", { ...NOT_REACHED, certain: false, summary: installed });
    rig.goAhead(3);
    const since = /^the agent of server web was installed 3 min ago but has never polled$/;
    const { history } = await expectVerdict(rig, stack, "run", {
      ...NOT_REACHED,
      certain: true,
      summary: since,
    });
    deepEqual(
      history.map(({ state }) => state),
      ["PUBLISHED"],
    );
    equal(second.isRunning(), true);
    await second.kill();
  },
);

export const bootStageStories: readonly Story[] = [
  diesInItsBoot,
  hangsInItsBoot,
  withoutAddress,
  withoutRoute,
  fullDisk,
  wrongUrl,
  cutShort,
];

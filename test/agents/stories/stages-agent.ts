/**
 * Causes stages 4 and 5 of docs/deployments.md, and a normal run: the server polls or has polled.
 */
import { deepEqual, equal, match } from "node:assert/strict";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { create, ends, update } from "../../aws/lane.ts";
import { type AheadRig, aheadStory } from "../ahead.ts";
import { diagnosed, expectDiagnoseCommand, expectVerdict, hasApplied } from "../diagnoses.ts";
import { openOwnServer } from "../own-agent.ts";
import {
  config,
  metadataUrl,
  openServer,
  resourceOf,
  STORY_MS_MAX,
  type Story,
  script,
  until,
} from "../rig.ts";
import { deployed, webTemplate, webTemplateOf } from "../web-template.ts";

const MISCONFIGURED = { stage: 4, cause: "agent_misconfigured" } as const;
const NOT_POLLING = { stage: 5, cause: "not_polling" } as const;
const RUNNING = { stage: null, cause: "running" } as const;
const BEHIND = { stage: null, cause: "waiting_behind" } as const;
const FINISHED = { stage: null, cause: "finished", certain: true } as const;

const withoutHook = aheadStory(
  "no-hook",
  "stage 4: without a hook the stock agents apply the document silently; Hearth's agent reports it",
  async (rig) => {
    const template = webTemplateOf({
      config: config("print('hello')", { group: "python" }),
      run: deployed("config"),
    });
    const stack = await create(rig, "no-hook", template);
    const server = openServer(rig, "no-hook");
    server.start(await metadataUrl(rig, stack));
    const applied = /^server web applied it .* ago; its signal should arrive soon$/;
    await expectVerdict(rig, stack, "run", { ...RUNNING, certain: false, summary: applied });
    rig.goAhead(2);
    const missing = /^server web applied it .* it probably has no hook for python$/;
    const { state } = await expectVerdict(rig, stack, "run", {
      ...MISCONFIGURED,
      certain: false,
      summary: missing,
    });
    equal(state, "APPLIED");
    match((await resourceOf(rig, stack, "run")).resource_status_reason, /no hook for python/);
    await expectDiagnoseCommand(rig, stack, "run", /^Probably: server web applied it /, 1);
    await server.kill();
    const own = await openOwnServer(rig, "no-hook", []);
    own.start();
    await ends(rig, stack, "CREATE_FAILED", STORY_MS_MAX);
    const failed = /^CREATE ended FAILED .*no hook for group python/;
    await expectVerdict(rig, stack, "run", { ...FINISHED, summary: failed });
    await expectDiagnoseCommand(rig, stack, "run", /no hook for group python/, 1);
    await own.kill();
  },
);

const brokenElement = aheadStory(
  "broken-element",
  "stage 4: an image whose configuration step fails polls on; certain without its echo, likely after it",
  async (rig) => {
    const stack = await create(rig, "broken", webTemplate("true"));
    const server = openServer(rig, "broken");
    server.start(await metadataUrl(rig, stack));
    await ends(rig, stack, "CREATE_COMPLETE", STORY_MS_MAX);
    await diagnosed(rig, stack, "run", hasApplied);
    const steps = join(server.folder, "os-refresh-config", "configure.d");
    // This runs before 20-os-apply-config, which sets up the echo.
    const first = join(steps, "10-broken");
    writeFileSync(first, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    await update(rig, stack, webTemplate("echo anew"));
    await until("it has failed", () => server.log().includes("Command failed"));
    rig.goAhead(2);
    await expectVerdict(rig, stack, "run", {
      ...MISCONFIGURED,
      certain: true,
      summary: /^server web fetched it .* and still polls .* but has not applied it$/,
    });
    await expectDiagnoseCommand(rig, stack, "run", /^server web fetched it .* still polls/, 1);
    // This runs after 20-os-apply-config and before 55-heat-config.
    const later = join(steps, "50-broken");
    renameSync(first, later);
    const echoes = /^server web applied it .* ago; its signal should arrive soon$/;
    await expectVerdict(rig, stack, "run", { ...RUNNING, certain: false, summary: echoes });
    rig.goAhead(2);
    const { verdict } = await expectVerdict(rig, stack, "run", {
      stage: 6,
      cause: "cannot_signal",
      certain: false,
      summary: /^server web applied it .* or its configuration run fails before the hook$/,
    });
    match(verdict.advice.join("\n"), /after a failed step os-refresh-config runs no further steps/);
    rmSync(later);
    await ends(rig, stack, "UPDATE_COMPLETE", STORY_MS_MAX);
    await server.kill();
  },
);

interface Stoppable {
  stop(): Promise<void> | void;
  goOn(): void;
}

const stopsPolling = async (
  rig: AheadRig,
  start: (url: string) => Promise<Stoppable>,
): Promise<void> => {
  const stack = await create(rig, "silent", webTemplate("true"));
  const agent = await start(await metadataUrl(rig, stack));
  await ends(rig, stack, "CREATE_COMPLETE", STORY_MS_MAX);
  await agent.stop();
  await update(rig, stack, webTemplate("echo anew"));
  await until("the update is published", async () => {
    const { resource_status: status } = await resourceOf(rig, stack, "run");
    return status === "UPDATE_IN_PROGRESS";
  });
  rig.goAhead(3);
  const silent = /^server web last polled \d+ (s|min) ago and has not fetched this deployment$/;
  await expectVerdict(rig, stack, "run", { ...NOT_POLLING, certain: false, summary: silent });
  rig.goAhead(30);
  const summary = /^server web last polled 3\d min ago and has not fetched this deployment$/;
  await expectVerdict(rig, stack, "run", { ...NOT_POLLING, certain: true, summary });
  await expectDiagnoseCommand(rig, stack, "run", summary, 1);
  agent.goOn();
  await ends(rig, stack, "UPDATE_COMPLETE", STORY_MS_MAX);
  await expectVerdict(rig, stack, "run", { ...FINISHED, summary: /^UPDATE ended COMPLETE/ });
  await agent.stop();
};

const stockFrozen = aheadStory(
  "frozen",
  "stage 5: frozen stock agents do not poll: likely at first, certain after half an hour",
  (rig) =>
    stopsPolling(rig, async (url) => {
      const server = openServer(rig, "frozen");
      server.start(url);
      return { stop: server.freeze, goOn: server.thaw };
    }),
);

const ownKilled = aheadStory(
  "killed",
  "stage 5: a killed agent of Hearth does not poll: likely at first, certain after half an hour",
  (rig) =>
    stopsPolling(rig, async () => {
      const server = await openOwnServer(rig, "silent", []);
      server.start();
      return { stop: server.kill, goOn: server.start };
    }),
);

const longRun = aheadStory(
  "long-run",
  "no stage: a silent script of the stock agents still runs and the next one waits, until it is overdue",
  async (rig) => {
    const template = webTemplateOf({
      long: config(
        script('printf . > "$HOME/begun"', 'until [ -e "$HOME/go" ]; do sleep 0.1; done'),
      ),
      run: deployed("long", { name: "1-long" }),
      quick: config(script("true")),
      next: deployed("quick", { name: "2-quick" }),
    });
    const stack = await create(rig, "long", template);
    const url = await metadataUrl(rig, stack);
    // Both must be in the same document.
    for (const name of ["run", "next"]) await diagnosed(rig, stack, name, () => true);
    const server = openServer(rig, "long");
    server.start(url);
    await until("the script runs", () => existsSync(join(server.folder, "begun")));
    const runs = /^server web fetched it .* ago; it is running there or about to start$/;
    await expectVerdict(rig, stack, "run", { ...RUNNING, certain: false, summary: runs });
    rig.goAhead(5);
    const silent =
      /^server web fetched it 5 min ago and has been silent since: it is still running, or/;
    await expectVerdict(rig, stack, "run", { ...RUNNING, certain: false, summary: silent });
    const behind =
      /^server web fetched run 5 min ago and has not polled since; agents run one deployment at a time$/;
    const next = await expectVerdict(rig, stack, "next", {
      ...BEHIND,
      certain: false,
      summary: behind,
    });
    equal(next.waiting_behind?.resource_name, "run");
    await expectDiagnoseCommand(
      rig,
      stack,
      "next",
      /^Probably: server web fetched run 5 min ago/,
      0,
    );
    rig.goAhead(30);
    const gone = /^server web fetched it 35 min ago and has been silent since/;
    await expectVerdict(rig, stack, "run", { ...NOT_POLLING, certain: false, summary: gone });
    writeFileSync(join(server.folder, "go"), "");
    await ends(rig, stack, "CREATE_COMPLETE", STORY_MS_MAX);
    await expectVerdict(rig, stack, "next", { ...FINISHED, summary: /^CREATE ended COMPLETE/ });
    deepEqual((await diagnosed(rig, stack, "run", () => true)).state, "COMPLETE");
    await expectDiagnoseCommand(rig, stack, "run", /^CREATE ended COMPLETE/, 0);
    await server.kill();
  },
);

export const agentStageStories: readonly Story[] = [
  withoutHook,
  brokenElement,
  stockFrozen,
  ownKilled,
  longRun,
];

import { deepEqual, equal, match } from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AGENT_VERSION } from "../../../apps/agent/polling.ts";
import { create, ends, remove } from "../../aws/lane.ts";
import { type Diagnosis, diagnosed, diagnosisOf, hasApplied } from "../diagnoses.ts";
import { openOwnServer } from "../own-agent.ts";
import {
  config,
  deployment,
  metadataUrl,
  openServer,
  STORY_MS_MAX,
  type Story,
  script,
  serverTemplate,
} from "../rig.ts";

const echoed: Story = {
  name: "the stock agents' next poll reports that a document is applied, and runs nothing twice",
  play: async (rig) => {
    const template = serverTemplate({
      config: config(script("echo once")),
      run: deployment("config"),
    });
    const stack = await create(rig, "echo", template);
    const server = openServer(rig, "echo");
    server.start(await metadataUrl(rig, stack));
    await ends(rig, stack, "CREATE_COMPLETE", STORY_MS_MAX);
    const { history, verdict, server: seen } = await diagnosed(rig, stack, "run", hasApplied);
    equal(verdict.cause, "finished");
    const states = history.map(({ state }) => state).toSorted();
    deepEqual(states, ["APPLIED", "COMPLETE", "FETCHED", "PUBLISHED"]);
    match(seen?.agent ?? "", /os-collect-config|python/);
    equal(server.begun(), 1);
    await remove(rig, stack);
    await server.kill();
  },
};

const behindAnother: Story = {
  name: "the diagnosis of a waiting deployment names the script before it, for certain with Hearth's agent",
  play: async (rig) => {
    const template = serverTemplate({
      long: config(script('while [ ! -e "$HOME/go" ]; do sleep 0.1; done')),
      run: deployment("long", { name: "1-long" }),
      quick: config(script("true")),
      next: deployment("quick", { name: "2-quick" }),
    });
    const stack = await create(rig, "behind", template);
    await metadataUrl(rig, stack);
    const server = await openOwnServer(rig, "behind", ["json-file"]);
    server.start();
    const isBehind = ({ verdict }: Diagnosis): boolean =>
      verdict.cause === "waiting_behind" && verdict.certain;
    const { waiting_behind, server: seen } = await diagnosed(rig, stack, "next", isBehind);
    equal(waiting_behind?.resource_name, "run");
    deepEqual(
      [seen?.agent, seen?.tools],
      [`hearth-agent/${AGENT_VERSION}`, ["script", "json-file"]],
    );
    const running = await diagnosisOf(rig, stack, "run");
    deepEqual([running.state, running.verdict.cause], ["RUNNING", "running"]);
    writeFileSync(join(server.folder, "go"), "");
    await ends(rig, stack, "CREATE_COMPLETE", STORY_MS_MAX);
    rmSync(join(server.folder, "go"));
    await remove(rig, stack);
    await server.kill();
  },
};

export const diagnosisStories: readonly Story[] = [echoed, behindAnother];

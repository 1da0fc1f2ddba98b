import { equal } from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { create, ends, outputs, remove, update } from "../../aws/lane.ts";
import {
  config,
  deployment,
  metadataUrl,
  openServer,
  STORY_MS_MAX,
  type Story,
  script,
  serverTemplate,
  statusOf,
  until,
} from "../rig.ts";

const gated = (note: string): object =>
  serverTemplate(
    {
      config: config(
        script(
          'printf begun >> "$HOME/begun"',
          'while [ ! -e "$HOME/gate" ]; do sleep 0.1; done',
          `printf ${note} > "$heat_outputs_path.note"`,
        ),
        { outputs: [{ name: "note" }] },
      ),
      run: deployment("config"),
    },
    { note: ["run", "note"] },
  );

const agentDies: Story = {
  name: "stock agents that die with their script never report or repeat it; an update runs it under a new id",
  play: async (rig) => {
    const stack = await create(rig, "agent-dies", gated("first"));
    const server = openServer(rig, "agent-dies");
    const begun = join(server.folder, "begun");
    server.start(await metadataUrl(rig, stack));
    await until("the script has begun", () => existsSync(begun));
    await server.kill();
    server.start(await metadataUrl(rig, stack));
    const polls = () => server.log().split("already deployed").length;
    await until("the restarted agents see the deployment", () => polls() > 1);
    equal(readFileSync(begun, "utf8"), "begun");
    equal(await statusOf(rig, stack), "CREATE_IN_PROGRESS");
    writeFileSync(join(server.folder, "gate"), "");
    await update(rig, stack, gated("second"));
    await ends(rig, stack, "UPDATE_COMPLETE", STORY_MS_MAX);
    equal(readFileSync(begun, "utf8"), "begunbegun");
    equal((await outputs(rig, stack))["note"], "second");
    await remove(rig, stack);
    await server.kill();
  },
};

const hostDies: Story = {
  name: "a script that ends while the host is down delivers its result when the host is back",
  needsOwnHost: true,
  play: async (rig) => {
    const { host } = rig;
    if (!host) throw new Error("this story kills the host");
    const stack = await create(rig, "host-dies", gated("kept"));
    const server = openServer(rig, "host-dies");
    server.start(await metadataUrl(rig, stack));
    await until("the script has begun", () => existsSync(join(server.folder, "begun")));
    host.kill();
    writeFileSync(join(server.folder, "gate"), "");
    await until("the script has ended", () => server.log().includes("Completed"));
    await host.restart();
    await host.ready();
    await ends(rig, stack, "CREATE_COMPLETE", STORY_MS_MAX);
    equal((await outputs(rig, stack))["note"], "kept");
    equal(server.begun(), 1);
    await remove(rig, stack);
    await server.kill();
  },
};

export const restartStories: readonly Story[] = [agentDies];
export const lastStories: readonly Story[] = [hostDies];

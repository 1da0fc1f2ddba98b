import { equal, match, ok } from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { create, ends, outputs, remove } from "../../aws/lane.ts";
import { pacedSeconds } from "../../aws/pace.ts";
import { openOwnServer } from "../own-agent.ts";
import {
  config,
  deployment,
  metadataUrl,
  reasonsWith,
  resourceOf,
  STORY_MS_MAX,
  type Story,
  script,
  serverTemplate,
  until,
} from "../rig.ts";

const installed: Story = {
  name: "new agent, new Hearth: one printed line installs an agent that reports progress and runs stock hooks",
  play: async (rig) => {
    const file = join(rig.folder, "own.json");
    const template = serverTemplate(
      {
        config: config(
          script(
            "echo working",
            `sleep ${pacedSeconds(2)}`,
            'printf done > "$heat_outputs_path.note"',
          ),
          { outputs: [{ name: "note" }] },
        ),
        run: deployment("config", { name: "1-script" }),
        data: {
          type: "OS::Heat::StructuredConfig",
          properties: { group: "json-file", config: { [file]: { port: { get_input: "port" } } } },
        },
        data_run: {
          type: "OS::Heat::StructuredDeployment",
          properties: {
            name: "2-data",
            config: { get_resource: "data" },
            server: { get_resource: "server" },
            input_values: { port: 8080 },
          },
        },
      },
      { note: ["run", "note"], stdout: ["run", "deploy_stdout"] },
    );
    const stack = await create(rig, "own-agent", template);
    await metadataUrl(rig, stack);
    const server = await openOwnServer(rig, "own-agent", ["json-file"]);
    server.start();
    await ends(rig, stack, "CREATE_COMPLETE", STORY_MS_MAX);
    const { note, stdout } = await outputs(rig, stack);
    equal(note, "done");
    equal(stdout, "working\n");
    equal(JSON.parse(readFileSync(file, "utf8")).port, 8080);
    await reasonsWith(rig, stack, "run", /in progress: The agent started run$/);
    await reasonsWith(rig, stack, "run", /in progress: The agent has run run for \d+ s$/);
    await remove(rig, stack);
    await server.kill();
  },
};

const interrupted: Story = {
  name: "a run that died with Hearth's agent is reported as failed after the restart, and not repeated",
  play: async (rig) => {
    const template = serverTemplate({
      config: config(script('printf begun >> "$HOME/begun"', "sleep 60")),
      run: deployment("config"),
    });
    const stack = await create(rig, "own-dies", template);
    await metadataUrl(rig, stack);
    const server = await openOwnServer(rig, "own-dies", []);
    server.start();
    const begun = join(server.folder, "begun");
    await until("the script has begun", () => existsSync(begun));
    await server.kill();
    server.start();
    await ends(rig, stack, "CREATE_FAILED", STORY_MS_MAX);
    match((await resourceOf(rig, stack, "run")).resource_status_reason, /agent restarted/);
    equal(readFileSync(begun, "utf8"), "begun");
    await remove(rig, stack);
    await server.kill();
  },
};

/** One answer of Lambda cannot contain so much, so the result is read in parts. */
const LARGE_CHARS = 5_500_000;

const large: Story = {
  name: "Hearth's agent uploads a result that is too large for a signal, and all of it can be read",
  play: async (rig) => {
    const template = serverTemplate(
      {
        config: config(script(`head -c ${LARGE_CHARS} /dev/zero | tr '\\0' x`, "echo the end")),
        run: deployment("config"),
      },
      { stdout: ["run", "deploy_stdout"] },
    );
    const stack = await create(rig, "own-large", template);
    await metadataUrl(rig, stack);
    const server = await openOwnServer(rig, "own-large", []);
    server.start();
    await ends(rig, stack, "CREATE_COMPLETE", STORY_MS_MAX);
    const { physical_resource_id } = await resourceOf(rig, stack, "run");
    const path = `/software_deployments/${physical_resource_id}/output/deploy_stdout`;
    const stdout = await rig.client.text(path);
    // equal() would print both texts.
    ok(stdout === `${"x".repeat(LARGE_CHARS)}the end\n`, `${stdout.length} characters came`);
    match(
      String((await outputs(rig, stack))["stdout"]),
      /^\[\d+ of \d+ bytes are left out .*\]\nx+the end\n$/,
    );
    await remove(rig, stack);
    await server.kill();
  },
};

export const ownAgentStories: readonly Story[] = [installed, interrupted, large];

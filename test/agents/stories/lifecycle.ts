import { deepEqual, equal, match } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { act, create, ends, outputs, remove, show, update } from "../../aws/lane.ts";
import {
  config,
  deployment,
  metadataUrl,
  openServer,
  reasonsWith,
  resourceOf,
  STORY_MS_MAX,
  type Story,
  script,
  serverTemplate,
} from "../rig.ts";

const ACTIONS = ["CREATE", "UPDATE", "SUSPEND", "RESUME", "DELETE"] as const;

const actionScript = (action: string): object => ({
  actions: [action],
  tool: "script",
  config: script(
    `echo "${action} $deploy_action $version" >> "$HOME/life"`,
    'printf "%s" "$version" > "$heat_outputs_path.installed"',
  ),
});

const componentTemplate = (version: string): object =>
  serverTemplate(
    {
      component: {
        type: "OS::Heat::SoftwareComponent",
        properties: {
          configs: ACTIONS.map(actionScript),
          inputs: [{ name: "version" }],
          outputs: [{ name: "installed" }],
        },
      },
      run: deployment("component", { input_values: { version } }),
    },
    { installed: ["run", "installed"] },
  );

const fiveActions: Story = {
  name: "a component runs its own script in each of its five actions",
  play: async (rig) => {
    const stack = await create(rig, "component", componentTemplate("1"));
    const server = openServer(rig, "component");
    server.start(await metadataUrl(rig, stack));
    await ends(rig, stack, "CREATE_COMPLETE", STORY_MS_MAX);
    equal((await outputs(rig, stack))["installed"], "1");
    await update(rig, stack, componentTemplate("2"));
    await ends(rig, stack, "UPDATE_COMPLETE", STORY_MS_MAX);
    equal((await outputs(rig, stack))["installed"], "2");
    await act(rig, stack, "suspend");
    await ends(rig, stack, "SUSPEND_COMPLETE", STORY_MS_MAX);
    await act(rig, stack, "resume");
    await ends(rig, stack, "RESUME_COMPLETE", STORY_MS_MAX);
    await remove(rig, stack, STORY_MS_MAX);
    deepEqual(readFileSync(join(server.folder, "life"), "utf8").trim().split("\n"), [
      "CREATE CREATE 1",
      "UPDATE UPDATE 2",
      "SUSPEND SUSPEND 2",
      "RESUME RESUME 2",
      "DELETE DELETE 2",
    ]);
    await server.kill();
  },
};

const failingTemplate = (exitCode: number): object =>
  serverTemplate(
    {
      config: config(
        script('printf run >> "$HOME/runs"', "echo no space left >&2", `exit ${exitCode}`),
      ),
      run: deployment("config"),
    },
    { stderr: ["run", "deploy_stderr"], code: ["run", "deploy_status_code"] },
  );

const failing: Story = {
  name: "a failing script reports its exit code and its stderr, and the update is rolled back",
  play: async (rig) => {
    const stack = await create(rig, "failing", failingTemplate(0));
    const server = openServer(rig, "failing");
    server.start(await metadataUrl(rig, stack));
    await ends(rig, stack, "CREATE_COMPLETE", STORY_MS_MAX);
    await update(rig, stack, failingTemplate(3), { disable_rollback: false });
    await ends(rig, stack, "ROLLBACK_COMPLETE", STORY_MS_MAX);
    const texts = await reasonsWith(rig, stack, "run", /failed \(3\)$/);
    const cause =
      "Deployment to server failed: deploy_status_code : Deployment exited with non-zero status code: 3";
    const failure = texts.find((reason) => reason.includes(cause)) ?? texts.join("\n");
    match(failure, /non-zero status code: 3; stderr: no space left/);
    equal(texts.filter((reason) => reason.endsWith("failed (3)")).length, 1);
    // The rollback to the working config is another run.
    equal(readFileSync(join(server.folder, "runs"), "utf8"), "runrunrun");
    equal((await outputs(rig, stack))["code"], 0);
    await update(rig, stack, failingTemplate(4), { disable_rollback: true });
    await ends(rig, stack, "UPDATE_FAILED", STORY_MS_MAX);
    match((await show(rig, stack)).stack_status_reason ?? "", /status code: 4/);
    equal((await resourceOf(rig, stack, "run")).resource_status, "UPDATE_FAILED");
    await remove(rig, stack, STORY_MS_MAX);
    await server.kill();
  },
};

export const lifecycleStories: readonly Story[] = [fiveActions, failing];

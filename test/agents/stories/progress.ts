/**
 * An old image has only the stock hooks and signals only the end of a run. A new image runs
 * Hearth's hooks before them and signals the beginning too.
 */
import { deepEqual, equal, match } from "node:assert/strict";
import { create, ends, outputs, remove } from "../../aws/lane.ts";
import { pacedSeconds } from "../../aws/pace.ts";
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

const SIGNAL = /^Signal: deployment \S+ /;

const ENDED = /^Signal: deployment \S+ succeeded$/;

const signals = (texts: readonly string[]): readonly string[] =>
  texts.filter((reason) => SIGNAL.test(reason)).map((reason) => reason.replace(SIGNAL, ""));

const oldImage: Story = {
  name: "old image, new Hearth: the stock agents send one signal, the final one",
  play: async (rig) => {
    const template = serverTemplate({
      config: config(script("echo quick")),
      run: deployment("config"),
    });
    const stack = await create(rig, "old-image", template);
    const server = openServer(rig, "old-image");
    server.start(await metadataUrl(rig, stack));
    await ends(rig, stack, "CREATE_COMPLETE", STORY_MS_MAX);
    deepEqual(signals(await reasonsWith(rig, stack, "run", ENDED)), ["succeeded"]);
    await remove(rig, stack);
    await server.kill();
  },
};

const OVER_CHARS = 1_200_000;

const newImage: Story = {
  name: "new image, new Hearth: the wrapper hook signals the start, the progress and the result, cut to size",
  play: async (rig) => {
    const template = serverTemplate(
      {
        config: config(
          script(
            `head -c ${OVER_CHARS} /dev/zero | tr '\\0' x`,
            `sleep ${pacedSeconds(3)}`,
            "echo the end",
          ),
        ),
        run: deployment("config", { name: "1-script" }),
        chef: config("recipe", { group: "chef" }),
        chef_run: deployment("chef", { name: "2-chef" }),
      },
      { stdout: ["run", "deploy_stdout"] },
    );
    const stack = await create(rig, "new-image", template);
    const server = openServer(rig, "new-image", {
      statusAware: true,
      environment: { HEARTH_PROGRESS_SECONDS: "1" },
    });
    server.start(await metadataUrl(rig, stack));
    await ends(rig, stack, "CREATE_FAILED", STORY_MS_MAX);
    const sent = signals(await reasonsWith(rig, stack, "run", ENDED));
    equal(sent[0], "in progress: The server has started run");
    equal(sent[1], "in progress: The server still runs run");
    equal(sent.at(-1), "succeeded");
    const path = `/software_deployments/${(await resourceOf(rig, stack, "run")).physical_resource_id}`;
    const stdout = await rig.client.text(`${path}/output/deploy_stdout`);
    equal(/^x+the end\n$/.test(stdout), true);
    equal(stdout.length > 890_000 && stdout.length <= 900_000, true);
    const end = String((await outputs(rig, stack))["stdout"]);
    equal(/^\[\d+ of \d+ bytes are left out .*\]\nx+the end\n$/.test(end), true);
    const { resource_status_reason } = await resourceOf(rig, stack, "chef_run");
    match(resource_status_reason, /no hook for group chef/);
    await remove(rig, stack);
    await server.kill();
  },
};

export const progressStories: readonly Story[] = [oldImage, newImage];

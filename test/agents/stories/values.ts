import { deepEqual, equal, match } from "node:assert/strict";
import { create, ends, outputs, remove } from "../../aws/lane.ts";
import {
  config,
  deployment,
  metadataUrl,
  openServer,
  resourceOf,
  STORY_MS_MAX,
  type Story,
  script,
  serverTemplate,
} from "../rig.ts";

const TYPES = ["String", "Number", "CommaDelimitedList", "Json", "Boolean"] as const;

const TYPED_INPUTS = {
  String: 'it\'s "quoted" $HOME `date`',
  Number: 8080,
  CommaDelimitedList: ["a", "b c"],
  Json: { deep: [1, { more: null }] },
  Boolean: true,
};

const TYPED_TEXTS = {
  String: TYPED_INPUTS.String,
  Number: "8080",
  CommaDelimitedList: '["a", "b c"]',
  Json: '{"deep": [1, {"more": null}]}',
  Boolean: "true",
};

const named = (prefix: string) => TYPES.map((type) => ({ name: `${prefix}_${type}`, type }));

const typed = config(
  script(...TYPES.map((type) => `printf '%s' "$in_${type}" > "$heat_outputs_path.out_${type}"`)),
  { inputs: named("in"), outputs: named("out") },
);

const UNICODE = "Grüße, 世界 и ‏سلام‎ 🄰\ttab \\ \u0001 end";
const LARGE_CHARS = 900_000;

const resources = {
  typed,
  typed_run: deployment("typed", {
    name: "1-typed",
    input_values: Object.fromEntries(TYPES.map((type) => [`in_${type}`, TYPED_INPUTS[type]])),
  }),
  text: config(script('printf "%s" "$text" | tee "$heat_outputs_path.text"', "echo é >&2"), {
    inputs: [{ name: "text" }, { name: "absent", default: "given" }],
    outputs: [{ name: "text" }, { name: "never" }],
  }),
  text_run: deployment("text", {
    name: "2-text",
    signal_transport: "TEMP_URL_SIGNAL",
    input_values: { text: UNICODE, undeclared: 5 },
  }),
  large: config(script(`head -c ${LARGE_CHARS} /dev/zero | tr '\\0' x`, "echo end")),
  large_run: deployment("large", { name: "3-large", signal_transport: "HEAT_SIGNAL" }),
  silent: config(script('touch "$HOME/silent-ran"')),
  silent_run: deployment("silent", { name: "0-silent", signal_transport: "NO_SIGNAL" }),
};

const attributes = {
  ...Object.fromEntries(TYPES.map((type) => [`out_${type}`, ["typed_run", `out_${type}`]])),
  text: ["text_run", "text"],
  never: ["text_run", "never"],
  text_stdout: ["text_run", "deploy_stdout"],
  text_stderr: ["text_run", "deploy_stderr"],
  text_code: ["text_run", "deploy_status_code"],
  large_end: ["large_run", "deploy_stdout"],
};

const valuesTravel: Story = {
  name: "inputs and outputs of every type, any text and 900 kB of output arrive as with the stock script hook",
  play: async (rig) => {
    const stack = await create(rig, "values", serverTemplate(resources, attributes));
    const server = openServer(rig, "values");
    server.start(await metadataUrl(rig, stack));
    await ends(rig, stack, "CREATE_COMPLETE", STORY_MS_MAX);
    const values = await outputs(rig, stack);
    for (const type of TYPES) {
      const arrived = String(values[`out_${type}`]);
      if (type === "String" || type === "Number" || type === "Boolean") {
        equal(arrived, TYPED_TEXTS[type]);
      } else deepEqual(JSON.parse(arrived), JSON.parse(TYPED_TEXTS[type]));
    }
    const { text, never, text_stdout, text_stderr, text_code } = values;
    deepEqual([text, text_stdout, text_stderr], [UNICODE, UNICODE, "é\n"]);
    deepEqual([never, text_code], [null, 0]);
    match(String(values["large_end"]), /^\[\d+ of \d+ bytes are left out .*\]\nx+end\n$/);
    const { physical_resource_id: run } = await resourceOf(rig, stack, "large_run");
    const large = await rig.client.text(`/software_deployments/${run}/output/deploy_stdout`);
    equal(large.length, LARGE_CHARS + "end\n".length);
    equal(large.endsWith("xend\n"), true);
    equal(server.begun(), 4);
    equal((await resourceOf(rig, stack, "silent_run")).resource_status, "CREATE_COMPLETE");
    // Nothing runs on DELETE here, so it does not wait for an agent.
    await remove(rig, stack);
    await server.kill();
  },
};

export const valueStories: readonly Story[] = [valuesTravel];

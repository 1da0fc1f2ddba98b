import type { JsonObject } from "#lib/json.ts";
import { at, send } from "./host-client.ts";

/** `waits` is a line of the script, which runs before the number is its output. */
export const numberedScript = (folder: string, number: number, waits = ":"): JsonObject => ({
  heat_template_version: "2018-08-31",
  resources: {
    server: { type: "OS::Heat::DeployedServer", properties: { name: "web" } },
    config: {
      type: "OS::Heat::SoftwareConfig",
      properties: {
        group: "script",
        inputs: [{ name: "number" }],
        outputs: [{ name: "number" }],
        config: `#!/bin/sh
echo $number >> '${folder}/ran'
${waits}
printf $number > $heat_outputs_path.number
`,
      },
    },
    deployment: {
      type: "OS::Heat::SoftwareDeployment",
      properties: {
        config: { get_resource: "config" },
        server: { get_resource: "server" },
        input_values: { number },
      },
    },
  },
  outputs: {
    agent: { value: { get_attr: ["server", "os_collect_config"] } },
    number: { value: { get_attr: ["deployment", "number"] } },
  },
});

/** Output 0 of the stack `app` is the agent's configuration, and output 1 is the number. */
export const outputOfApp = async (url: string, index: number) => {
  const { body } = await send(url, "GET", "/v1/demo/stacks/app");
  return at(body, "stack", "outputs", index, "output_value");
};

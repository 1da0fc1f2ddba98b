import type { JsonObject } from "#lib/json.ts";
import { SOFTWARE_TEMPLATE } from "../integration/security/software-site.ts";

const VERSION = "2018-08-31";

export const SECRET = "a hidden word";

export const kept = (value: string): JsonObject => ({
  heat_template_version: VERSION,
  parameters: { secret: { type: "string", hidden: true } },
  resources: {
    one: { type: "OS::Heat::TestResource", properties: { value } },
    two: {
      type: "OS::Heat::TestResource",
      properties: { value: { get_attr: ["one", "output"] } },
    },
    word: { type: "OS::Heat::RandomString", properties: { length: 12 } },
  },
  outputs: {
    two: { value: { get_attr: ["two", "output"] } },
    word: { value: { get_attr: ["word", "value"] } },
    secret: { value: { get_param: "secret" } },
  },
});

export const nested = (value: string): JsonObject => ({
  heat_template_version: VERSION,
  resources: { below: { type: "child.yaml", properties: { value } } },
  outputs: { said: { value: { get_attr: ["below", "said"] } } },
});

export const NESTED_FILES: JsonObject = {
  "child.yaml": `heat_template_version: ${VERSION}
parameters: {value: {type: string}}
resources:
  inner: {type: OS::Heat::TestResource, properties: {value: {get_param: value}}}
outputs:
  said: {value: {get_attr: [inner, output]}}
`,
};

export const waiting: JsonObject = SOFTWARE_TEMPLATE;

export const SIGNALS = 3;

export const handle: JsonObject = {
  heat_template_version: VERSION,
  resources: {
    handle: { type: "OS::Heat::WaitConditionHandle" },
    condition: {
      type: "OS::Heat::WaitCondition",
      properties: { handle: { get_resource: "handle" }, timeout: 7_200, count: SIGNALS },
    },
  },
  outputs: {
    url: { value: { get_attr: ["handle", "endpoint"] } },
    data: { value: { get_attr: ["condition", "data"] } },
  },
};

const MEMBERS = ["first", "second", "third"] as const;

export const rolling = (release: string): JsonObject => ({
  heat_template_version: VERSION,
  resources: {
    ...Object.fromEntries(MEMBERS.map((name) => [name, { type: "OS::Heat::DeployedServer" }])),
    config: {
      type: "OS::Heat::SoftwareConfig",
      properties: { group: "script", config: "#!/bin/sh", inputs: [{ name: "release" }] },
    },
    fleet: {
      type: "OS::Heat::SoftwareDeploymentGroup",
      update_policy: { rolling_update: { max_batch_size: 1 } },
      properties: {
        config: { get_resource: "config" },
        servers: Object.fromEntries(MEMBERS.map((name) => [name, { get_resource: name }])),
        input_values: { release },
      },
    },
  },
  outputs: Object.fromEntries(
    MEMBERS.map((name) => [
      name,
      { value: { get_attr: [name, "os_collect_config", "request", "metadata_url"] } },
    ]),
  ),
});

const LINKS = 8;
/** Long enough to kill the host in the middle of the chain. */
const LINK_SECS = 0.3;

/** A chain. Each new value replaces every third link. */
export const running = (value: string): JsonObject => ({
  heat_template_version: VERSION,
  resources: Object.fromEntries(
    Array.from({ length: LINKS }, (_, link) => [
      `link_${link}`,
      {
        type: "OS::Heat::TestResource",
        properties: {
          value,
          wait_secs: LINK_SECS,
          ...(link % 3 === 0 ? { update_replace_value: value } : {}),
          ...(link === 0 ? {} : { entity_name: { get_attr: [`link_${link - 1}`, "output"] } }),
        },
      },
    ]),
  ),
  outputs: { last: { value: { get_attr: [`link_${LINKS - 1}`, "output"] } } },
});
export const MIDDLE_LINK = "link_4";

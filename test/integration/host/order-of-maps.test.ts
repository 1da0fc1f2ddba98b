import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { newestEvent, waitForStack } from "./host-client.ts";

const MAP = '{"b":1.0,"10":{"1":[{"9":"i","8":"h"}],"0":12345678901234567890},"2":"x","a":null}';
const DEFAULT = '{"30":3,"4":4}';

const VALUES = {
  param: ['{"get_param":"document"}', MAP],
  path: ['{"get_param":["document","10"]}', '{"1":[{"9":"i","8":"h"}],"0":12345678901234567890}'],
  fallback: ['{"get_param":"fallback"}', DEFAULT],
  text: ['{"get_param":"text"}', DEFAULT],
  merged_file: ['{"get_param":"joined"}', '{"7":"b","5":"c","3":"a","1":"d"}'],
  literal: ['{"21":{"get_param":"fallback"},"3":["7"]}', `{"21":${DEFAULT},"3":["7"]}`],
  merge: [
    '{"map_merge":[{"10":1,"2":2,"b":3},{"2":4,"1":5},{"get_param":"fallback"}]}',
    '{"10":1,"2":4,"b":3,"1":5,"30":3,"4":4}',
  ],
  replace: [
    '{"map_replace":[{"z":"one","20":"two","y":"3"},{"keys":{"z":"9","y":"1"},"values":{"two":2}}]}',
    '{"9":"one","20":2,"1":"3"}',
  ],
  repeat: [
    '{"repeat":{"template":{"%k%":"%v%","5":{"%k%":"%v%"}},"for_each":{"%k%":["7"],"%v%":["x"]}}}',
    '[{"7":"x","5":{"7":"x"}}]',
  ],
  choice: ['{"if":["yes",{"8":1,"6":{"if":["yes",2,3]}},{}]}', '{"8":1,"6":2}'],
  yaql: [
    '{"yaql":{"expression":"$.data.items().toDict($[0], $[1])","data":{"get_param":"fallback"}}}',
    DEFAULT,
  ],
  yaql_set: [
    '{"yaql":{"expression":"$.data.set(1, 0)","data":{"get_param":"fallback"}}}',
    '{"30":3,"4":4,"1":0}',
  ],
  replaced_text: [
    '{"str_replace":{"template":"<it>","params":{"it":{"get_param":"fallback"}}}}',
    '"<{\\"30\\": 3, \\"4\\": 4}>"',
  ],
  joined_text: [
    '{"list_join":["; ",["a",{"get_param":"fallback"}]]}',
    '"a; {\\"30\\": 3, \\"4\\": 4}"',
  ],
  split: [
    '{"str_split":[",",{"list_join":["",[{"get_param":"fallback"}]]}]}',
    '["{\\"30\\": 3"," \\"4\\": 4}"]',
  ],
} as const;

const members = (shown: 0 | 1): string =>
  Object.entries(VALUES)
    .map(([name, one]) => `"${name}":${one[shown]}`)
    .join(",");

const PARAMETERS = `"document":{"type":"json"},"fallback":{"type":"json","default":${DEFAULT}},
  "text":{"type":"json"},"joined":{"type":"json"}`;

const nested = `{"heat_template_version":"2021-04-16",
  "parameters":{"map":{"type":"json"},"more":{"type":"json","default":${DEFAULT}}},
  "resources":{"inner":{"type":"OS::Heat::Value","properties":{"value":{"get_param":"map"}}}},
  "outputs":{"map":{"value":{"get_attr":["inner","value"]}},
    "more":{"value":{"get_param":"more"}}}}`;

const resources = (map: string, turn: string): string => `
  "held":{"type":"OS::Heat::Value","metadata":${map},
    "properties":{"value":{"turn":"${turn}",${members(0)}}}},
  "typed":{"type":"OS::Heat::Value","properties":{"type":"json","value":${map}}},
  "config":{"type":"OS::Heat::StructuredConfig","properties":{"config":${map},"options":${map}}},
  "below":{"type":"nested.yaml","properties":{"map":${map}}}`;

const template = (map: string, turn: string): string => `{"heat_template_version":"2021-04-16",
  "conditions":{"yes":true},
  "parameters":{${PARAMETERS}},
  "resources":{${resources(map, turn)}},
  "outputs":{"2":{"value":{"get_attr":["held","value"]}},
    "1":{"value":{"get_attr":["typed","value"]}},
    "below":{"value":{"get_attr":["below","map"]}},
    "inner":{"value":{"get_attr":["below","more"]}},
    "all":{"value":{"get_attr":["typed"]}},
    "functions":{"value":{${members(0)}}}}}`;

const environmentFile = (joined: string): string =>
  `{"parameter_defaults":{"joined":${joined}},"parameter_merge_strategies":{"joined":"merge"}}`;

const FILES = {
  "nested.yaml": nested,
  one: environmentFile('{"7":"a","5":"c"}'),
  two: environmentFile('{"3":"a","7":"b","1":"d"}'),
};

const body = (map: string, turn: string, name = "app"): string => {
  const parameters = `{"document":${map},"text":${JSON.stringify(DEFAULT)}}`;
  return `{"stack_name":"${name}","template":${template(map, turn)},
    "parameters":${parameters},"files":${JSON.stringify(FILES)},
    "environment_files":["one","two"]}`;
};

let host: Host | null = null;
let folder = "";
const start = async (): Promise<void> => {
  host = await startHost({ port: 0, data: folder });
};
const stop = async (): Promise<void> => {
  await host?.stop();
  host = null;
};
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "hearth-order-"));
  await start();
});
afterEach(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

const ask = async (method: string, path: string, sent?: string): Promise<string> => {
  const url = path.startsWith("http") ? path : `${host?.url}/v1/demo${path}`;
  const response = await fetch(url, {
    method,
    redirect: "manual",
    ...(sent ? { body: sent } : {}),
  });
  const location = response.headers.get("Location");
  if (response.status === 302 && location) return ask(method, location, sent);
  return response.text();
};
/** Every route except the stack's own needs the stack's id in its path. */
const stackPath = async (name = "app"): Promise<string> => {
  const stack = await ask("GET", `/stacks/${name}`);
  return `/stacks/${name}/${/"stack":\{"id":"([^"]+)"/.exec(stack)?.[1]}`;
};
const show = async (path: string): Promise<string> => ask("GET", `${await stackPath()}${path}`);

const ended = async (method: string, path: string, sent: string): Promise<string> => {
  const marker = path === "/stacks" ? undefined : await newestEvent(String(host?.url), "app");
  const answer = await ask(method, path, sent);
  expect(answer).not.toContain('"error"');
  return waitForStack(String(host?.url), "app", marker);
};

const expectShown = async (map: string, turn: string): Promise<void> => {
  const stack = await show("");
  const values = members(1).replaceAll(MAP, map);
  for (const output of [
    `"output_key":"2","description":"No description given","output_value":{"turn":"${turn}",${values}}`,
    `"output_key":"1","description":"No description given","output_value":${map}`,
    `"output_key":"below","description":"No description given","output_value":${map}`,
    `"output_key":"inner","description":"No description given","output_value":${DEFAULT}`,
    `"output_value":{"value":${map}}`,
    `"output_key":"functions","description":"No description given","output_value":{${values}}`,
  ])
    expect(stack).toContain(output);
  expect(await show("/outputs/2")).toContain(`{"turn":"${turn}",${values}}`);
  expect(await show("/resources/typed")).toContain(`"attributes":{"value":${map}}`);
  expect(await show("/resources/held/metadata")).toBe(`{"metadata":${map}}`);
  expect(await show("/template")).toContain(`"value":${map}`);
  expect(await show("/environment")).toContain(`"document":${map}`);
  expect(await show("/environment")).toContain(VALUES.merged_file[1]);
  const exported = await show("/export");
  for (const part of [`"document":${map}`, `"value":${map}`, `"metadata":${map}`])
    expect(exported).toContain(part);
  const config = /"physical_resource_id":"([^"]+)"/.exec(await show("/resources/config"))?.[1];
  const shown = await ask("GET", `/software_configs/${config}`);
  expect(shown).toContain(`"config":${map}`);
  expect(shown).toContain(`"options":${map}`);
};

describe("the keys of maps", () => {
  it("keep their order through a create, a restart, updates and a snapshot", async () => {
    expect(await ended("POST", "/stacks", body(MAP, "one"))).toBe("CREATE_COMPLETE");
    await expectShown(MAP, "one");
    await stop();
    await start();
    await expectShown(MAP, "one");
    const taken = await ended("POST", `${await stackPath()}/snapshots`, "{}").then(() =>
      show("/snapshots"),
    );
    const id = /"id":"([^"]+)"/.exec(taken)?.[1];
    expect(await show(`/snapshots/${id}`)).toContain(`"document":${MAP}`);
    const other = MAP.replace('"10"', '"99":[],"10"');
    expect(await ended("PUT", await stackPath(), body(other, "two"))).toBe("UPDATE_COMPLETE");
    await expectShown(other, "two");
    const next = other.replace('"2"', '"98":1e+20,"2"');
    const change = `{"parameters":{"document":${next}},"environment":{"parameter_defaults":{"9":1,"8":2}}}`;
    expect(await ended("PATCH", await stackPath(), change)).toBe("UPDATE_COMPLETE");
    expect(await show("/outputs/2")).toContain(`"param":${next}`);
    expect(await show("/environment")).toContain('"9":1,"8":2');
  });

  it("keep their order when a snapshot is restored and a stack is adopted", async () => {
    await ended("POST", "/stacks", body(MAP, "one"));
    await ended("POST", `${await stackPath()}/snapshots`, "{}");
    const id = /"id":"([^"]+)"/.exec(await show("/snapshots"))?.[1];
    const other = MAP.replace('"10"', '"99":[],"10"');
    await ended("PUT", await stackPath(), body(other, "two"));
    await ended("POST", `${await stackPath()}/snapshots/${id}/restore`, "{}");
    await expectShown(MAP, "one");
    const abandoned = await ask("DELETE", `${await stackPath()}/abandon`);
    await expect.poll(() => ask("GET", "/stacks/app")).toContain("EntityNotFound");
    const adopt = `{"stack_name":"app","timeout_mins":5,"adopt_stack_data":${JSON.stringify(abandoned)}}`;
    expect(await ended("POST", "/stacks", adopt)).toBe("ADOPT_COMPLETE");
    await expectShown(MAP, "one");
  });

  it("keep their order in a preview and in a validation", async () => {
    const preview = await ask("POST", "/stacks/preview", body(MAP, "one"));
    expect(preview).toContain(`"properties":{"value":{"turn":"one",${members(1)}},"type":null}`);
    expect(preview).toContain(`"metadata":${MAP}`);
    expect(preview).toContain(`"output_value":{${members(1)}}`);
    const validated = await ask("POST", "/validate?show_nested=true", body(MAP, "one"));
    expect(validated).toContain(`"Default":${DEFAULT}`);
    expect(validated).toContain(`"Value":${MAP}`);
    expect(validated).toContain(`"document":${MAP}`);
    await ended("POST", "/stacks", body(MAP, "one"));
    const changes = await ask("PUT", `${await stackPath()}/preview`, body(MAP, "two"));
    expect(changes).toContain('"updated":[{');
  });

  it("keep their order in a text that is read in another thread", async () => {
    const padded = template(MAP, "one").replace("{", `{"description":"${"x".repeat(100_000)}",`);
    const sent = body(MAP, "one").replace(template(MAP, "one"), () => JSON.stringify(padded));
    expect(await ended("POST", "/stacks", sent)).toBe("CREATE_COMPLETE");
    await expectShown(MAP, "one");
  });
});

const DEPLOYMENT = `{"heat_template_version":"2021-04-16","resources":{
  "server":{"type":"OS::Heat::DeployedServer","properties":{"metadata":{"12":{"7":1,"6":2},"11":3}}},
  "config":{"type":"OS::Heat::StructuredConfig","properties":{"group":"salt",
    "config":{"9":{"get_input":"map"},"8":{"3":1,"2":1.0}},"options":${MAP},
    "inputs":[{"name":"map","type":"Json","default":${DEFAULT}}],"outputs":[{"name":"measured"}]}},
  "deployment":{"type":"OS::Heat::StructuredDeployment","properties":{"config":{"get_resource":"config"},
    "server":{"get_resource":"server"},"input_values":{"map":${MAP}}}}},
  "outputs":{"agent":{"value":{"get_attr":["server","os_collect_config"]}},
    "measured":{"value":{"get_attr":["deployment","measured"]}}}}`;

describe("the keys of a deployment's maps", () => {
  it("reach the agent in their order, and so do its results the client", async () => {
    await ask("POST", "/stacks", `{"stack_name":"app","template":${DEPLOYMENT}}`);
    let metadataUrl = "";
    await expect
      .poll(async () => {
        metadataUrl = /http[^"]*\/metadata\/[^"]*/.exec(await show(""))?.[0] ?? "";
        return metadataUrl === "" ? "" : ask("GET", metadataUrl);
      })
      .toContain('"deployments":[{');
    const document = await ask("GET", metadataUrl);
    expect(document).toContain(`"config":{"9":${MAP},"8":{"3":1,"2":1.0}}`);
    expect(document).toContain(`"options":${MAP}`);
    expect(document).toMatch(/^{"12":{"7":1,"6":2},"11":3,/);
    const signalUrl = /"deploy_signal_id"[^}]*"value":"([^"]+)"/.exec(document)?.[1] ?? "";
    await ask("POST", signalUrl, `{"measured":${MAP},"deploy_status_code":0}`);
    expect(await waitForStack(String(host?.url), "app")).toBe("CREATE_COMPLETE");
    expect(await show("")).toContain(`"output_value":${MAP}`);
    expect(await ask("GET", "/software_deployments")).toContain(`"measured":${MAP}`);
  });
});

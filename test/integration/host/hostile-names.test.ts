/** Names that every JavaScript object has must work like others wherever a user gives them. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { API_ROUTES } from "#lib/api/route.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { at, newestEvent, send, waitForStack } from "./host-client.ts";

const NAMES = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];

const named = (value: (name: string) => Json, prefix = ""): JsonObject =>
  Object.fromEntries(NAMES.map((name) => [prefix + name, value(name)]));

/**
 * A parameter and a resource must not have the same name. An environment file is not stored with
 * the files of its stack. So one of each two has a prefix.
 */
interface Prefixes {
  readonly parameter: string;
  readonly resource: string;
  readonly file: string;
  readonly environmentFile: string;
}
const PLACES = [
  { parameter: "", resource: "the ", file: "the ", environmentFile: "" },
  { parameter: "the ", resource: "", file: "", environmentFile: "the " },
] as const;

const environmentFile = (name: string, { parameter }: Prefixes): string =>
  JSON.stringify({
    parameter_defaults: named((key) => `${key} of ${name}`, parameter),
    parameter_merge_strategies: named(() => "overwrite", parameter),
  });

const files = ({ file }: Prefixes): JsonObject => named((name) => `text of ${name}`, file);

const value = (name: string, { parameter, file }: Prefixes): JsonObject => ({
  file: { get_file: file + name },
  parameter: { get_param: parameter + name },
  text: { str_replace: { template: NAMES.join(), params: named((key) => `<${key}>`) } },
  keys: named((key) => ({ [key]: name })),
});

const CONFIG = {
  config: named((name) => ({ get_input: name })),
  inputs: NAMES.map((name) => ({ name })),
  outputs: NAMES.map((name) => ({ name })),
  options: named((name) => name),
};

const template = (prefixes: Prefixes): JsonObject => ({
  heat_template_version: "2016-10-14",
  parameters: named((name) => ({ type: "string", description: name }), prefixes.parameter),
  resources: {
    ...named(
      (name) => ({
        type: "OS::Heat::Value",
        metadata: named((key) => key),
        properties: { value: value(name, prefixes) },
      }),
      prefixes.resource,
    ),
    server: { type: "OS::Heat::DeployedServer", metadata: named((name) => name) },
    config: { type: "OS::Heat::StructuredConfig", properties: CONFIG },
    deployment: {
      type: "OS::Heat::StructuredDeployment",
      properties: {
        config: { get_resource: "config" },
        server: { get_resource: "server" },
        input_values: named((name) => `${name} given`),
      },
    },
  },
  outputs: {
    ...named((name) => ({ value: { get_attr: [prefixes.resource + name, "value"] } })),
    path: {
      value: NAMES.map((name) => ({
        get_attr: [prefixes.resource + name, "value", "keys", name, name],
      })),
    },
    agent: { value: { get_attr: ["server", "os_collect_config"] } },
    measured: { value: NAMES.map((name) => ({ get_attr: ["deployment", name] })) },
  },
});

const bodyOf = (prefixes: Prefixes): JsonObject => ({
  template: template(prefixes),
  files: {
    ...files(prefixes),
    ...named((name) => environmentFile(name, prefixes), prefixes.environmentFile),
  },
  environment_files: NAMES.map((name) => prefixes.environmentFile + name),
  parameters: { [`${prefixes.parameter}valueOf`]: "valueOf of the request" },
  tags: NAMES,
});

let host: Host;
beforeEach(async () => {
  host = await startHost({ port: 0, data: null });
});
afterEach(() => host.stop());

const api = (method: string, path: string, body?: JsonObject) =>
  send(host.url, method, `/v1/demo${path}`, body);
const keysAt = (document: Json | undefined): readonly string[] =>
  isJsonObject(document) ? Object.keys(document) : [];
const listAt = (document: Json | undefined): readonly Json[] =>
  Array.isArray(document) ? document : [];

const deploy = async (): Promise<void> => {
  const document = async (): Promise<Json> => {
    const { body } = await api("GET", "/stacks/constructor");
    const outputs = listAt(at(body, "stack", "outputs"));
    const agent = outputs.find((one) => at(one, "output_key") === "agent");
    const url = at(agent, "output_value", "request", "metadata_url");
    return typeof url === "string" ? (await send("", "GET", url)).body : null;
  };
  await expect.poll(async () => at(await document(), "deployments", 0, "id")).toBeDefined();
  const found = await document();
  expect(keysAt(found)).toEqual(expect.arrayContaining(NAMES));
  const [deployment] = listAt(at(found, "deployments"));
  expect(at(deployment, "config")).toEqual(named((name) => `${name} given`));
  expect(keysAt(at(deployment, "options"))).toEqual(NAMES);
  const inputs = listAt(at(deployment, "inputs"));
  const signal = inputs.find((one) => at(one, "name") === "deploy_signal_id");
  const result = { ...named((name) => `${name} measured`), deploy_status_code: 0 };
  expect((await send("", "POST", String(at(signal, "value")), result)).status).toBe(200);
};

describe.each(PLACES)("names that every object has, with the prefixes %j", (prefixes) => {
  it("name everything in a stack, and nothing is lost", async () => {
    const created = await api("POST", "/stacks", {
      ...bodyOf(prefixes),
      stack_name: "constructor",
    });
    expect(created.body).toMatchObject({ stack: { id: expect.any(String) } });
    await deploy();
    expect(await waitForStack(host.url, "constructor")).toBe("CREATE_COMPLETE");

    const { body } = await api("GET", "/stacks/constructor");
    expect(at(body, "stack", "tags")).toEqual(NAMES);
    const outputs = new Map(
      listAt(at(body, "stack", "outputs")).map((o) => [at(o, "output_key"), at(o, "output_value")]),
    );
    for (const name of NAMES) {
      const parameter = `${name} of ${name === "valueOf" ? "the request" : "valueOf"}`;
      expect(at(body, "stack", "parameters", prefixes.parameter + name)).toBe(parameter);
      expect(JSON.stringify(outputs.get(name))).toBe(
        JSON.stringify({
          file: `text of ${name}`,
          parameter,
          text: NAMES.map((key) => `<${key}>`).join(),
          keys: named((key) => ({ [key]: name })),
        }),
      );
    }
    expect(outputs.get("path")).toEqual(NAMES);
    expect(outputs.get("measured")).toEqual(NAMES.map((name) => `${name} measured`));

    const shown = (await api("GET", "/stacks/constructor/template")).body;
    expect(JSON.stringify(shown)).toBe(JSON.stringify(template(prefixes)));
    const stored = (await api("GET", "/stacks/constructor/files")).body;
    expect(JSON.stringify(stored)).toBe(JSON.stringify(files(prefixes)));
    const environment = (await api("GET", "/stacks/constructor/environment")).body;
    const parameters = keysAt(named(() => "", prefixes.parameter));
    expect(keysAt(at(environment, "parameter_defaults"))).toEqual(parameters);
  });

  it("are found by each route, through an update, an abandon and an adopt", async () => {
    await api("POST", "/stacks", { ...bodyOf(prefixes), stack_name: "constructor" });
    await deploy();
    await waitForStack(host.url, "constructor");
    const { body } = await api("GET", "/stacks/constructor");
    const stack = `/stacks/constructor/${String(at(body, "stack", "id"))}`;
    for (const name of NAMES) {
      const resource = `/resources/${encodeURIComponent(prefixes.resource + name)}`;
      for (const path of [resource, `${resource}/metadata`, `/outputs/${name}`]) {
        expect([path, (await api("GET", stack + path)).status]).toEqual([path, 200]);
      }
      const metadata = (await api("GET", `${stack}${resource}/metadata`)).body;
      expect(keysAt(at(metadata, "metadata"))).toEqual(NAMES);
      const events = (await api("GET", `${stack}${resource}/events`)).body;
      expect(listAt(at(events, "events")).length).toBeGreaterThan(0);
    }
    const marker = await newestEvent(host.url, "constructor");
    const parameters = named((name) => `${name} changed`, prefixes.parameter);
    const updated = await api("PUT", stack, { ...bodyOf(prefixes), parameters });
    expect(updated.status).toBe(202);
    expect(await waitForStack(host.url, "constructor", marker)).toBe("UPDATE_COMPLETE");
    const output = (await api("GET", `${stack}/outputs/__proto__`)).body;
    expect(at(output, "output", "output_value", "parameter")).toBe("__proto__ changed");
    const resources = keysAt(named(() => "", prefixes.resource));
    const abandoned = (await api("DELETE", `${stack}/abandon`)).body;
    expect(keysAt(at(abandoned, "resources"))).toEqual(expect.arrayContaining([...resources]));
    expect(keysAt(at(abandoned, "files"))).toEqual(keysAt(files(prefixes)));
    const adopted = { stack_name: "valueOf", adopt_stack_data: JSON.stringify(abandoned) };
    expect((await api("POST", "/stacks", adopted)).status).toBe(201);
    expect(await waitForStack(host.url, "valueOf")).toBe("ADOPT_COMPLETE");
  });
});

const hostileBodies = (): readonly (JsonObject | undefined)[] => [
  undefined,
  named((name) => name),
  ...NAMES.map((name, index) => ({
    ...bodyOf(PLACES[index % PLACES.length] ?? PLACES[0]),
    stack_name: name,
    adopt_stack_data: {
      ...bodyOf(PLACES[0]),
      resources: named(() => ({ resource_data: named((key) => key) })),
    },
    config: named((key) => key),
    inputs: [named((key) => key)],
    options: named((key) => key),
    group: name,
    status: name,
    report: named((key) => key),
    [name]: named((key) => key),
  })),
  ...NAMES.map((name) => ({
    ...bodyOf(PLACES[0]),
    stack_name: "valueOf",
    environment_files: [],
    environment: {
      resource_registry: {
        ...named((key) => (key === name ? null : `${key}.yaml`)),
        resources: named((key) => ({ [name]: key, hooks: name })),
      },
    },
  })),
  { stack_name: "toString", template: named(() => ({})) },
  {
    stack_name: "toString",
    template: { ...template(PLACES[0]), resources: named((name) => name) },
  },
];

describe("names that every object has", () => {
  it("break no route, wherever a request can have them", async () => {
    const failed: string[] = [];
    const bodies = hostileBodies();
    for (const { method, pattern } of API_ROUTES) {
      for (const name of NAMES) {
        const isRead = method === "GET" || method === "DELETE";
        const tenant = isRead ? name : "demo";
        const path = pattern.replace("{tenant}", tenant).replace(/\{\w+\}/g, name);
        const query = `?${NAMES.map((key) => `${key}=${name}`).join("&")}`;
        for (const body of isRead ? [undefined] : bodies) {
          const { status } = await send(host.url, method, path + query, body);
          if (status >= 500) failed.push(`${status} ${method} ${path}`);
        }
      }
    }
    expect(failed).toEqual([]);
  });
});

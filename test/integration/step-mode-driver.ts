/**
 * Drives a host in step mode from outside: stacks of Hearth::Test::Scenario over Heat's API, visits
 * over `/_dev`.
 */
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { at, send } from "./host/host-client.ts";

type Value = string | { readonly ref: string } | { readonly att: readonly [string, string] };

export interface Definition {
  readonly properties?: Readonly<Record<string, Value>>;
  readonly after?: readonly string[];
}
export type Spec = Readonly<Record<string, Definition>>;

export const ref = (name: string): Value => ({ ref: name });
export const att = (name: string, property: string): Value => ({ att: [name, property] });

const valueJson = (value: Value): Json => {
  if (typeof value === "string") return value;
  return "ref" in value ? { get_resource: value.ref } : { get_attr: [...value.att] };
};

const templateOf = (spec: Spec): JsonObject => ({
  heat_template_version: "2018-08-31",
  resources: Object.fromEntries(
    Object.entries(spec).map(([name, { properties, after }]) => [
      name,
      {
        type: "Hearth::Test::Scenario",
        ...(properties === undefined
          ? {}
          : {
              properties: Object.fromEntries(
                Object.entries(properties).map(([key, value]) => [key, valueJson(value)]),
              ),
            }),
        ...(after === undefined ? {} : { depends_on: [...after] }),
      },
    ]),
  ),
});

export interface Held {
  readonly id: string;
  readonly name: string;
  readonly properties: Readonly<Record<string, Json>>;
}

export interface Driver {
  create(spec: Spec, options?: JsonObject): Promise<void>;
  update(spec: Spec): Promise<void>;
  remove(): Promise<void>;
  rollback(): Promise<void>;
  post(route: string, body: JsonObject): Promise<{ status: number; body: Json }>;
  step(count: number): Promise<number>;
  drain(): Promise<number>;
  status(): Promise<string>;
  held(): Promise<readonly Held[]>;
  heldCount(name: string): Promise<number>;
  rows(): Promise<readonly JsonObject[]>;
  leftovers(): Promise<Json | undefined>;
}

const expectStatus = (expected: number, status: number, what: string): void => {
  if (status !== expected) throw new Error(`${what} was answered with ${status}`);
};

const list = (document: Json, name: string): readonly JsonObject[] => {
  const found = at(document, name);
  return (Array.isArray(found) ? found : []).filter(isJsonObject);
};

export const driverOf = (url: string, stackName = "foo"): Driver => {
  let id = "";
  const own = () => `/v1/demo/stacks/${stackName}/${id}`;
  const post = (route: string, body: JsonObject) => send(url, "POST", `/_dev/${route}`, body);
  const delivered = async (route: string, body: JsonObject): Promise<number> => {
    const answer = await post(route, body);
    expectStatus(200, answer.status, route);
    return Number(at(answer.body, "delivered"));
  };
  const rowsAnswer = async () =>
    (await send(url, "GET", `/_dev/rows?stack_name=${stackName}`)).body;
  const held = async (): Promise<readonly Held[]> =>
    list((await send(url, "GET", "/_dev/resources")).body, "resources")
      .filter((one) => one["stack_name"] === stackName)
      .map((one) => ({
        id: String(one["physical_id"]),
        name: String(one["logical_name"]),
        properties: propertiesOf(one),
      }));

  return {
    create: async (spec, options = {}) => {
      const body = { stack_name: stackName, template: templateOf(spec), ...options };
      const answer = await send(url, "POST", "/v1/demo/stacks", body);
      expectStatus(201, answer.status, "create");
      id = String(at(answer.body, "stack", "id"));
    },
    update: async (spec) =>
      expectStatus(
        202,
        (await send(url, "PUT", own(), { template: templateOf(spec) })).status,
        "update",
      ),
    remove: async () => expectStatus(204, (await send(url, "DELETE", own())).status, "delete"),
    rollback: async () => {
      const answer = await post("rollback", {
        tenant: "demo",
        stack_name: stackName,
        stack_id: id,
      });
      expectStatus(202, answer.status, "rollback");
    },
    post,
    step: (count) => delivered("step", { count }),
    drain: () => delivered("drain", {}),
    status: async () => String(at((await send(url, "GET", own())).body, "stack", "stack_status")),
    held,
    heldCount: async (name) => (await held()).filter((one) => one.name === name).length,
    rows: async () => list(await rowsAnswer(), "rows"),
    leftovers: async () => at(await rowsAnswer(), "leftovers"),
  };
};

const propertiesOf = (one: JsonObject): JsonObject => {
  const properties = one["properties"];
  return properties !== undefined && isJsonObject(properties) ? properties : {};
};

/** Where reality differs from the template, like Heat's verify(). */
export const differences = async (driver: Driver, spec: Spec): Promise<readonly string[]> => {
  const held = await driver.held();
  const only = (name: string): Held | undefined => held.find((one) => one.name === name);
  const expected = (value: Value): Json => {
    if (typeof value === "string") return value;
    if ("ref" in value) return only(value.ref)?.id ?? null;
    return only(value.att[0])?.properties[value.att[1]] ?? null;
  };
  const counted = Object.keys(spec).flatMap((name) => {
    const count = held.filter((one) => one.name === name).length;
    return count === 1 ? [] : [`${count} of ${name}`];
  });
  const surplus = held.filter(({ name }) => !(name in spec)).map(({ name }) => `surplus ${name}`);
  const changed = Object.entries(spec).flatMap(([name, { properties = {} }]) => {
    const wanted = Object.fromEntries(
      Object.entries(properties).map(([key, value]) => [key, expected(value)]),
    );
    const found = only(name)?.properties;
    const same = JSON.stringify(sorted(wanted)) === JSON.stringify(sorted(found ?? {}));
    return same ? [] : [`${name} is ${JSON.stringify(found)}, not ${JSON.stringify(wanted)}`];
  });
  return [...counted, ...surplus, ...changed];
};

const sorted = (record: Readonly<Record<string, Json>>): readonly (readonly [string, Json])[] =>
  Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));

export const fault = (
  name: string,
  action: string,
  effect: { readonly error: string } | { readonly polls: number },
  times = 1,
): JsonObject => ({ stack_name: "foo", logical_name: name, action, times, ...effect });

import { API_ROUTES } from "#lib/api/route.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import {
  strangersQueries,
  strangersRequests,
  type TenantIds,
} from "../integration/security/route-cases.ts";
import type { Dice } from "../robustness/dice.ts";
import { STUBS, type TypeSchemas } from "./read-types.ts";

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: JsonObject | undefined;
}

export interface Attack {
  readonly own: TenantIds;
  readonly other: TenantIds;
  readonly foreign: readonly string[];
  readonly types: TypeSchemas;
}

const OWN_STACKS = 12;
const QUERY_NAMES =
  "id name tenant marker server_id resource_name filters owner_id username show_nested with_detail global_tenant nested_depth resolve_outputs tags".split(
    " ",
  );

const anyText = ({ foreign }: Attack, dice: Dice): string =>
  dice.chance(85) ? dice.pick(foreign) : dice.pick(["x", "1", "true", "10.0.0.1", "CREATE"]);

const givenOf = (attack: Attack, dice: Dice, type: string): Json => {
  const text = anyText(attack, dice);
  if (type === "list") return [dice.chance(50) ? text : { id: text, network: text }];
  if (type === "map") return { [dice.pick(["id", "server", "network", "key"])]: text };
  if (type === "boolean") return dice.chance(50);
  return type === "string" ? text : dice.below(3) + 1;
};

const resourceOf = (attack: Attack, dice: Dice): JsonObject => {
  const [type, schema] = dice.pick([...attack.types]);
  const chosen = Object.entries(schema).filter(([, one]) => one.required || dice.chance(25));
  const properties = Object.fromEntries(
    chosen.map(([name, one]) => [name, givenOf(attack, dice, one.type)]),
  );
  return dice.chance(10)
    ? { type, properties, external_id: dice.pick(attack.foreign) }
    : { type, properties };
};

const templateOf = (attack: Attack, dice: Dice): JsonObject => ({
  heat_template_version: "2021-04-16",
  parameters: { given: { type: "string", default: "x" } },
  resources: Object.fromEntries(
    [0, ...dice.some(2, (at) => at + 1)].map((at) => [`r${at}`, resourceOf(attack, dice)]),
  ),
  outputs: {
    shown: { value: { get_attr: ["r0"] } },
    named: { value: { get_resource: "r0" } },
    given: { value: { get_param: dice.pick(["given", "OS::stack_id", "OS::project_id"]) } },
  },
});

const adopted = (attack: Attack, dice: Dice, name: string, template: JsonObject): JsonObject => {
  const resource = resourceOf(attack, dice);
  const given = {
    name: "r0",
    type: resource["type"] ?? "",
    resource_id: dice.pick(attack.foreign),
  };
  const state = { action: "CREATE", status: "COMPLETE", metadata: {}, resource_data: {} };
  return {
    name,
    id: dice.pick(attack.foreign),
    action: "CREATE",
    status: "COMPLETE",
    environment: STUBS,
    template: { ...template, resources: { r0: resource } },
    resources: { r0: { ...given, ...state } },
  };
};

const ownStack = (attack: Attack, dice: Dice): Request => {
  const name = `own-${dice.below(OWN_STACKS)}`;
  const stacks = `/v1/${attack.own.tenant}/stacks`;
  const stack = `${stacks}/${name}`;
  const template = templateOf(attack, dice);
  const environment = {
    parameters: { given: anyText(attack, dice) },
    resource_registry: {
      ...STUBS.resource_registry,
      resources: { r0: { hooks: dice.pick(["pre-create", "pre-delete"]) } },
    },
  };
  const plain = { stack_name: name, template, environment: dice.chance(20) ? environment : STUBS };
  const adopting = {
    stack_name: name,
    adopt_stack_data: JSON.stringify(adopted(attack, dice, name, template)),
  };
  return dice.pick<() => Request>([
    () => ({ method: "POST", path: stacks, body: plain }),
    () => ({ method: "POST", path: stacks, body: adopting }),
    () => ({ method: "POST", path: `${stacks}/preview`, body: plain }),
    () => ({ method: "PUT", path: stack, body: { template } }),
    () => ({
      method: "PATCH",
      path: stack,
      body: { parameters: { given: anyText(attack, dice) } },
    }),
    () => ({ method: "DELETE", path: stack }),
    () => ({
      method: "GET",
      path: `${stack}${dice.pick(["", "/resources", "/events", "/outputs", "/template", "/export"])}`,
    }),
    () => ({
      method: "POST",
      path: `${stack}/actions`,
      body: { [dice.pick(["suspend", "check", "resume"])]: null },
    }),
  ])();
};

const anyRoute = (attack: Attack, dice: Dice): Request => {
  const { method, pattern } = dice.pick(API_ROUTES);
  const mine = new Map<string, string>(Object.entries(attack.own));
  const others = new Map<string, string>(Object.entries(attack.other));
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === "tenant")
      return dice.pick([attack.own.tenant, attack.own.tenant, attack.other.tenant]);
    const id = dice.chance(40) ? mine.get(name) : dice.chance(70) ? others.get(name) : undefined;
    return encodeURIComponent(id ?? dice.pick(attack.foreign));
  });
  const names = dice.some(3, () => dice.pick(QUERY_NAMES));
  const query = names.map((name) => `${name}=${encodeURIComponent(anyText(attack, dice))}`);
  const id = anyText(attack, dice);
  const body = {
    config_id: id,
    server_id: id,
    id,
    name: id,
    status: "FAILED",
    action: "CREATE",
    stack_name: "own-0",
    template: templateOf(attack, dice),
  };
  return {
    method,
    path: query.length === 0 ? path : `${path}?${query.join("&")}`,
    ...(method === "GET" ? {} : { body }),
  };
};

/** The requests from the tests of all routes come first, each once. */
export const strangersNext = (attack: Attack): ((at: number, dice: Dice) => Request) => {
  const known: readonly Request[] = [
    ...strangersRequests(attack.own, attack.other),
    ...strangersQueries(attack.own, attack.other),
  ];
  return (at, dice) =>
    known[at] ?? (dice.chance(50) ? ownStack(attack, dice) : anyRoute(attack, dice));
};

/**
 * Texts that double, in each field. Twice the text may take the processor at most three times as
 * long, wherever the time is long enough to measure.
 */
import { startHost } from "#host/host.ts";
import { API_ROUTES } from "#lib/api/route.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import type { SendAs } from "../integration/security/tenant-stacks.ts";
import { type Dice, diceOf } from "../robustness/dice.ts";
import { readTypes, STUBS, type TypeSchemas } from "./read-types.ts";

const GROWTH_MAX = 3;
/** A shorter time proves nothing, because other work of the process takes as long. */
const FELT_MS_MIN = 60;
const TRIES_MAX = 5;
const STEPS = [1, 2, 4, 8];
const BODY_CHARS = 8_000;
/** Node accepts 16 KiB of headers, and a character takes up to three bytes. */
const HEAD_CHARS = 600;

const UNITS = [
  ..."a1_/. \t([{}$%\\-,:;&=<>'\"#@*?!|~\n\u00e9\u2028",
  ..."a. a1 $x %( ../ // {{ [[ a=b& x: -- 1. ,, () a, \\\\ : $a{b} \r\n".split(" "),
];
const ENDS = ["", "!", "a", "1", "\u2028", "\n", "/", "}", ")"];
const FIELDS =
  "stack_name template environment files parameters tags name config group inputs outputs options status status_reason adopt_stack_data timeout_mins config_id server_id action input_values reason id type older_than_seconds report deploy_stdout mark_unhealthy resource_status_reason".split(
    " ",
  );
const QUERIES =
  "name tags marker sort_keys sort_dir limit id status filters resource_name type_name with_count tags-any version".split(
    " ",
  );
const HEADERS =
  "Accept Cookie If-None-Match X-Auth-Token Authorization Content-Type X-Forwarded-For X-Openstack-Request-Id User-Agent".split(
    " ",
  );

type Field = (text: string) => {
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
  readonly headers?: Record<string, string>;
};

interface Place {
  readonly name: string;
  readonly chars: number;
  readonly ask: Field;
  readonly isStack?: boolean;
}

const STACKS = "/v1/demo/stacks";
const HOT = { heat_template_version: "2021-04-16" };

const headPlace = (dice: Dice): Place => {
  const { method, pattern } = dice.pick(API_ROUTES);
  const parts = [...pattern.matchAll(/\{\w+\}/g)].map(([part]) => part);
  const path = (text: string) => {
    const chosen = parts[text.length % Math.max(1, parts.length)];
    return pattern
      .replace("{tenant}", "demo")
      .replaceAll(/\{\w+\}/g, (part) => (part === chosen ? encodeURIComponent(text) : "x"));
  };
  const plain = pattern.replace("{tenant}", "demo").replaceAll(/\{\w+\}/g, "x");
  const query = dice.pick(QUERIES);
  const header = dice.pick(HEADERS);
  const head = dice.pick(["/v3/", "/", "/v1/", "/v1/agent/signal/", "/console/"]);
  return dice.pick<Place>([
    {
      name: `path of ${method} ${pattern}`,
      chars: HEAD_CHARS,
      ask: (text) => ({ method, path: path(text) }),
    },
    {
      name: `?${query}= of GET ${pattern}`,
      chars: HEAD_CHARS,
      ask: (text) => ({ method: "GET", path: `${plain}?${query}=${encodeURIComponent(text)}` }),
    },
    {
      name: `${header} of ${method} ${pattern}`,
      chars: HEAD_CHARS,
      ask: (text) => ({ method, path: plain, headers: { [header]: text } }),
    },
    {
      name: `raw path ${head}`,
      chars: 3 * HEAD_CHARS,
      ask: (text) => ({ method: "GET", path: `${head}${text.replaceAll(/[^!-~]|[#?%]/g, "~")}` }),
    },
  ]);
};

const bodyPlace = (dice: Dice): Place => {
  const { method, pattern } = dice.pick(
    API_ROUTES.filter((route) => /POST|PUT|PATCH/.test(route.method)),
  );
  const field = dice.pick(FIELDS);
  const path = pattern.replace("{tenant}", "demo").replaceAll(/\{\w+\}/g, "x");
  const isInside = dice.chance(30);
  return {
    name: `${field} of ${method} ${pattern}${isInside ? ", inside" : ""}`,
    chars: BODY_CHARS,
    ask: (text) => ({
      method,
      path,
      body: {
        stack_name: "x",
        environment: STUBS,
        template: HOT,
        [field]: isInside ? { [text]: text } : text,
      },
    }),
  };
};

const argumentsOf = (text: string): readonly Json[] => [
  text,
  [text],
  [text, text],
  [",", text],
  [text, ","],
  [text, [text]],
  ["md5", text],
  [{ a: text }, "a"],
  { template: text, params: { a: "b", [text.slice(0, 9)]: text } },
  { expression: text, data: { a: 1 } },
  { expression: `$.a.matches('${text}')`, data: { a: text } },
  { for_each: { a: [text] }, template: text },
  { for_each: { a: text }, template: { a: text } },
  { host: text, path: text, scheme: "http", port: text },
  [[text, "a"], text],
  [{ a: text }, { keys: { a: text }, values: { [text]: "b" } }],
  { list: [text], data: text },
];

const templatePlace = (dice: Dice, functions: readonly string[]): Place => {
  const name = dice.pick(functions);
  const shape = dice.below(argumentsOf("").length);
  const where = dice.pick(["value", "condition", "constraint", "type"]);
  const templateOf = (text: string): JsonObject => {
    const made = { [name]: argumentsOf(text)[shape] ?? text };
    if (where === "condition") return { ...HOT, conditions: { c: made }, resources: {} };
    if (where === "constraint")
      return {
        ...HOT,
        parameters: {
          p: {
            type: "string",
            default: text,
            constraints: [{ allowed_pattern: dice.pick(["a*", ".*b", "(a|b)*c"]) }],
          },
        },
      };
    if (where === "type") return { ...HOT, resources: { r: { type: text, depends_on: text } } };
    return {
      ...HOT,
      outputs: { o: { value: made } },
      resources: { r: { type: "OS::Heat::Value", properties: { value: made } } },
    };
  };
  return {
    name: `${name}, shape ${shape}, as ${where}`,
    chars: BODY_CHARS,
    isStack: where === "value",
    ask: (text) => ({
      method: "POST",
      path: where === "value" ? STACKS : "/v1/demo/validate",
      body: { stack_name: "x", environment: STUBS, template: templateOf(text) },
    }),
  };
};

const typePlace = (dice: Dice, types: TypeSchemas): Place => {
  const [type, schema] = dice.pick([...types].filter(([, one]) => Object.keys(one).length > 0));
  const property = dice.pick(Object.keys(schema));
  const plain = (kind: string): Json =>
    kind === "list" ? ["x"] : kind === "map" ? { a: "x" } : kind === "string" ? "x" : 1;
  const grown = (kind: string, text: string): Json =>
    kind === "list" ? [text] : kind === "map" ? { a: text, [text]: "a" } : text;
  const ask: Field = (text) => {
    const wanted = Object.entries(schema).filter(
      ([name, one]) => one.required || name === property,
    );
    const properties = Object.fromEntries(
      wanted.map(([name, { type: kind }]) => [
        name,
        name === property ? grown(kind, text) : plain(kind),
      ]),
    );
    return {
      method: "POST",
      path: STACKS,
      body: {
        stack_name: "x",
        environment: STUBS,
        template: { ...HOT, resources: { r: { type, properties } } },
      },
    };
  };
  return { name: `${property} of ${type}`, chars: BODY_CHARS, isStack: true, ask };
};

const functionsOf = async (url: string): Promise<readonly string[]> => {
  const text = await (
    await fetch(`${url}/v1/demo/template_versions/heat_template_version.2021-04-16/functions`)
  ).text();
  return [...text.matchAll(/"functions":\s*"([\w:]+)"/g)].flatMap(([, name]) => name ?? []);
};

const msOf = async (url: string, place: Place, text: string): Promise<number> => {
  const { method, path, body, headers = {} } = place.ask(text);
  const before = process.cpuUsage();
  try {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    await (await fetch(url + path, { method, redirect: "manual", headers, ...sent })).text();
    if (place.isStack) await (await fetch(`${url}/_dev/drain`, { method: "POST" })).text();
  } catch {
    // A text that no request can contain costs the host nothing.
  }
  const { user, system } = process.cpuUsage(before);
  if (place.isStack) await fetch(`${url}/_dev/reset`, { method: "POST" });
  return (user + system) / 1_000;
};

const faultOf = async (
  url: string,
  place: Place,
  textOf: (chars: number) => string,
): Promise<string | null> => {
  const measure = (step: number) => msOf(url, place, textOf(step * place.chars));
  const least = new Map<number, number>();
  for (const step of STEPS) least.set(step, await measure(step));
  for (let tries = 0; ; tries++) {
    const grown = STEPS.slice(1).find(
      (step) =>
        (least.get(step) ?? 0) > FELT_MS_MIN &&
        (least.get(step) ?? 0) > GROWTH_MAX * (least.get(step / 2) ?? 0),
    );
    if (grown === undefined) return null;
    if (tries === TRIES_MAX)
      return `${place.name}: ${STEPS.map((step) => `${step * place.chars} characters ${Math.round(least.get(step) ?? 0)} ms`).join(", ")}`;
    for (const step of [grown / 2, grown])
      least.set(step, Math.min(least.get(step) ?? 0, await measure(step)));
  }
};

export const playTimes = async (
  texts: number,
  seed: number,
  from: number,
  fail: (at: number, fault: string) => void,
): Promise<number> => {
  const host = await startHost({ port: 0, data: null, step: true });
  const send: SendAs = async (_, method, path) => {
    const answer = await fetch(host.url + path, { method });
    return { status: answer.status, headers: "", body: await answer.text() };
  };
  let failed = 0;
  try {
    const types = await readTypes(send, "demo");
    const functions = await functionsOf(host.url);
    for (let at = from; at < from + texts; at++) {
      const dice = diceOf(seed, at);
      const place = dice.pick([
        headPlace,
        bodyPlace,
        (one: Dice) => templatePlace(one, functions),
        (one: Dice) => typePlace(one, types),
      ])(dice);
      const [unit, start, end] = [dice.pick(UNITS), dice.pick(["", "a", "x:"]), dice.pick(ENDS)];
      const fault = await faultOf(
        host.url,
        place,
        (chars) => start + unit.repeat(chars / unit.length) + end,
      );
      if (fault === null) continue;
      failed++;
      fail(
        at,
        `${fault}, of ${JSON.stringify(start)}, ${JSON.stringify(unit)} and ${JSON.stringify(end)}`,
      );
    }
  } finally {
    await host.stop();
  }
  return failed;
};

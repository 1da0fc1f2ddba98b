/**
 * The life of two deployments on one server: the real engine runs on the memory ports. Users do
 * anything at any time. The agent does anything but run an id twice. Every act is followed by a
 * check of the invariants.
 */
import { expect } from "vitest";
import * as z from "zod";
import { RequestError } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { DeploymentRecord } from "#lib/model/software-config.ts";
import { metadataUrl } from "#lib/software-config/agent-requests/urls.ts";
import { openOutputValues } from "#lib/software-config/configs/config-content.ts";
import { serveMetadata } from "#lib/software-config/document/serve-metadata.ts";
import { receiveSignal } from "#lib/software-config/signals/receive-signal.ts";
import { DEPLOYMENT_CANCELLED } from "#lib/software-config/signals/signal-decision.ts";
import { at, createStack, openWorld, textAt, type World } from "#test/unit/api/api-world.ts";
import { idIn, queryOf } from "./deployed.ts";

export const NAMES = ["first", "second"] as const;
type Name = (typeof NAMES)[number];

type Word = "complete" | "failed" | "long" | "progress" | "garbage" | "with the other's id";

export type Act =
  | { readonly act: "update"; readonly name: Name }
  | { readonly act: "suspend" | "resume" | "poll" | "step" | "go on" }
  | { readonly act: "retry"; readonly name: Name }
  | { readonly act: "set result"; readonly name: Name; readonly status: "COMPLETE" | "FAILED" }
  | { readonly act: "say"; readonly run: number; readonly word: Word }
  | { readonly act: "repeat"; readonly sent: number }
  | { readonly act: "crash"; readonly reports: boolean }
  | { readonly act: "wait"; readonly seconds: number };

const LONG_CHARS = 40_000;
/** Rounds at the end: enough for deployments that run one after another. */
const ROUNDS_MAX = 6;
const ROUND_MS = 30_000;
const TIMEOUT_SECONDS = 600;

const deployment = (input: number, more: JsonObject = {}): JsonObject => ({
  type: "OS::Heat::SoftwareDeployment",
  properties: {
    config: { get_resource: "config" },
    server: { get_resource: "server" },
    input_values: { input },
    actions: ["CREATE", "UPDATE", "SUSPEND", "RESUME", "DELETE"],
    ...more,
  },
});

const templateOf = (inputs: Readonly<Record<Name, number>>): JsonObject => ({
  heat_template_version: "2016-10-14",
  resources: {
    server: { type: "OS::Heat::DeployedServer" },
    config: {
      type: "OS::Heat::SoftwareConfig",
      properties: { group: "script", config: "#!/bin/sh", outputs: [{ name: "result" }] },
    },
    first: deployment(inputs.first, { timeout: TIMEOUT_SECONDS }),
    second: deployment(inputs.second),
  },
});

const documentSchema = z.object({
  deployments: z.array(
    z.looseObject({
      id: z.string(),
      inputs: z.array(z.object({ name: z.string(), value: z.json() })),
    }),
  ),
});
type Entry = z.infer<typeof documentSchema>["deployments"][number];

const inputOf = (entry: Entry, name: string): string =>
  String(entry.inputs.find((input) => input.name === name)?.value);

interface Run {
  readonly url: string;
  readonly name: string;
}

interface Sent {
  readonly url: string;
  readonly body: string;
}

/** Checks the document over time: an id has one content, and an id that left never returns. */
const documentWatch = () => {
  const contents = new Map<string, string>();
  const newest = new Map<string, string>();
  return (entry: Entry): void => {
    const name = inputOf(entry, "deploy_resource_name");
    const content = JSON.stringify(entry);
    const known = contents.get(entry.id);
    expect(known ?? content, `the content of ${entry.id}`).toBe(content);
    if (known !== undefined) expect(newest.get(name), `the newest of ${name}`).toBe(entry.id);
    contents.set(entry.id, content);
    newest.set(name, entry.id);
  };
};

interface Life {
  readonly world: World;
  readonly path: string;
  readonly serverId: string;
  readonly inputs: Record<Name, number>;
  readonly watchDocument: (entry: Entry) => void;
  readonly started: Map<string, Run>;
  readonly running: Run[];
  readonly sent: Sent[];
  readonly accepted: Map<string, string>;
}

const hasDue = ({ world }: Life): boolean =>
  world.queue.pending.some(({ deliverAt }) => deliverAt <= world.clock.now());

const goOn = async (life: Life): Promise<void> => {
  while (hasDue(life)) await life.world.step();
};

const recordsOf = ({ world, serverId }: Life) =>
  world.ports.softwareConfigs.listDeployments(serverId);

const poll = async ({ world, serverId, started, running, watchDocument }: Life): Promise<void> => {
  const { ports } = world;
  const server = await ports.softwareConfigs.getServer(serverId);
  if (server === null) return;
  const query = queryOf(metadataUrl(ports, server));
  const { document } = await serveMetadata(ports, serverId, { method: "GET", query });
  for (const entry of documentSchema.parse(document).deployments) {
    watchDocument(entry);
    if (started.has(entry.id)) continue;
    const run = {
      url: inputOf(entry, "deploy_signal_id"),
      name: inputOf(entry, "deploy_resource_name"),
    };
    started.set(entry.id, run);
    running.push(run);
  }
};

const accept = ({ accepted }: Life, key: string, result: string): void => {
  expect(accepted.get(key), `an earlier accepted result of ${key}`).toBeUndefined();
  accepted.set(key, result);
};

const others = async (life: Life, deploymentId: string | null): Promise<string> => {
  const all = await recordsOf(life);
  const mine = all.find(({ id }) => id === deploymentId)?.resourceId;
  const rows = life.world.store.dump().rows.filter(({ id }) => id !== mine);
  return JSON.stringify([rows, all.filter(({ id }) => id !== deploymentId)]);
};

const resultIn = (body: string): string =>
  z.object({ result: z.string() }).parse(JSON.parse(body)).result;

const send = async (life: Life, { url, body }: Sent): Promise<"answered" | "refused"> => {
  const { ports } = life.world;
  const target = await ports.softwareConfigs.getSignalTarget(idIn(url));
  const isAwaited = (await recordsOf(life)).some(
    ({ derivedConfigId, status }) => derivedConfigId === idIn(url) && status === "IN_PROGRESS",
  );
  // A signal that is no longer awaited must not change its own deployment either.
  const mayChange = isAwaited && target !== null ? target.deploymentId : null;
  const before = await others(life, mayChange);
  const request = { method: "PUT", query: queryOf(url), body };
  const answer = await receiveSignal(ports, idIn(url), request).catch((error: unknown) => {
    if (error instanceof RequestError) return "refused" as const;
    throw error;
  });
  expect(await others(life, mayChange)).toBe(before);
  if (answer === "refused") return answer;
  if (answer.effect === "result stored" && target !== null) {
    accept(life, `${target.deploymentId}/${target.generation}`, resultIn(body));
  }
  return "answered";
};

const BODIES: Readonly<Record<Word, object>> = {
  complete: {},
  failed: { deploy_status_code: 1 },
  long: { deploy_stdout: "x".repeat(LONG_CHARS) },
  progress: { deploy_status: "IN_PROGRESS" },
  garbage: { deploy_status: "MAYBE" },
  "with the other's id": {},
};

const nextResult = ({ sent, accepted }: Life): string => `r${sent.length}-${accepted.size}`;

const say = async (life: Life, run: Run, word: Word): Promise<void> => {
  const { started, running, sent } = life;
  const foreign = [...started.values()].find(({ name }) => name !== run.name);
  const isForeign = word === "with the other's id" && foreign !== undefined;
  const url = isForeign ? run.url.replace(idIn(run.url), idIn(foreign.url)) : run.url;
  const body = JSON.stringify({ result: nextResult(life), ...BODIES[word] });
  sent.push({ url, body });
  const answer = await send(life, { url, body });
  if (isForeign) expect(answer).toBe("refused");
  if (word !== "progress") running.splice(running.indexOf(run), 1);
};

const recordOf = async (life: Life, name: Name): Promise<DeploymentRecord | undefined> =>
  (await recordsOf(life)).find(({ resourceName }) => resourceName === name);

const setResult = async (life: Life, name: Name, status: string): Promise<void> => {
  const record = await recordOf(life, name);
  if (record === undefined) return;
  const before = await others(life, record.id);
  const result = `${nextResult(life)} by hand`;
  const body = { status, status_reason: "by hand", output_values: { result } };
  const answer = await life.world.send("PUT", `/software_deployments/${record.id}`, body);
  if (answer.status === 200) accept(life, `${record.id}/${record.generation}`, result);
  expect(await others(life, record.id)).toBe(before);
};

const agentActs = async (life: Life, act: Act): Promise<void> => {
  const { running, sent } = life;
  if (act.act === "poll") await poll(life);
  if (act.act === "say") {
    const run = running[act.run % Math.max(running.length, 1)];
    if (run) await say(life, run, act.word);
  }
  if (act.act === "repeat") {
    const again = sent[act.sent % Math.max(sent.length, 1)];
    if (again) await send(life, again);
  }
  if (act.act === "crash") {
    for (const run of [...running]) if (act.reports) await say(life, run, "failed");
    running.length = 0;
  }
};

const perform = async (life: Life, act: Act): Promise<void> => {
  const { world, path, inputs } = life;
  switch (act.act) {
    case "update":
      inputs[act.name] += 1;
      await world.send("PUT", path, { template: templateOf(inputs) });
      return;
    case "suspend":
    case "resume":
      await world.send("POST", `${path}/actions`, { [act.act]: null });
      return;
    case "retry": {
      const record = await recordOf(life, act.name);
      if (record) await world.send("POST", `/software_deployments/${record.id}/retry`);
      return;
    }
    case "set result":
      return setResult(life, act.name, act.status);
    case "wait":
      world.clock.advance(act.seconds * 1_000);
      return goOn(life);
    case "step":
      if (hasDue(life)) await world.step();
      return;
    case "go on":
      return goOn(life);
    default:
      return agentActs(life, act);
  }
};

const checkRecord = async (life: Life, record: DeploymentRecord): Promise<void> => {
  const { world, accepted } = life;
  const { id, generation, status, statusReason, resourceName, resourceId } = record;
  expect(statusReason, resourceName).not.toBe("");
  const row = world.store.dump().rows.find((candidate) => candidate.id === resourceId);
  const result = accepted.get(`${id}/${generation}`);
  if (status === "IN_PROGRESS") expect(row?.operation?.generation).toBe(generation);
  else if (result !== undefined) {
    const values = await openOutputValues(world.ports.cipher, record);
    expect(values["result"]).toBe(result);
  } else if (statusReason !== DEPLOYMENT_CANCELLED) {
    expect(statusReason).toMatch(/^No signal within/);
  }
};

const check = async (life: Life): Promise<void> => {
  expect(life.world.unexpected).toEqual([]);
  for (const { name, status, statusReason, operation } of life.world.store.dump().rows) {
    expect(operation !== null, `${name} is ${status}`).toBe(status === "IN_PROGRESS");
    if (status === "FAILED") expect(statusReason).not.toBe("");
  }
  for (const record of await recordsOf(life)) await checkRecord(life, record);
};

const end = async (life: Life): Promise<void> => {
  const { world, path, running } = life;
  await world.send("DELETE", path);
  for (let rounds = 0; rounds < ROUNDS_MAX; rounds += 1) {
    await goOn(life);
    await poll(life);
    for (const run of [...running]) await say(life, run, "complete");
    await check(life);
    world.clock.advance(ROUND_MS);
  }
  await world.settle();
  await check(life);
  const { body } = await world.send("GET", "/stacks?show_deleted=true");
  expect(at(body, "stacks", 0, "stack_status")).toBe("DELETE_COMPLETE");
  expect(await recordsOf(life)).toEqual([]);
  expect(world.blobs.keys().filter((key) => /^(signal|output)/.test(key))).toEqual([]);
};

export const live = async (acts: readonly Act[]) => {
  const world = openWorld();
  const inputs = { first: 1, second: 1 };
  const path = await createStack(world, "app", { template: templateOf(inputs) });
  const life: Life = {
    world,
    path,
    inputs,
    serverId: "",
    watchDocument: documentWatch(),
    started: new Map(),
    accepted: new Map(),
    running: [],
    sent: [],
  };
  await goOn(life);
  const { body } = await world.send("GET", `${path}/resources/server`);
  const site = { ...life, serverId: textAt(body, "resource", "physical_resource_id") };
  for (const act of acts) {
    await perform(site, act);
    await check(site);
  }
  await end(site);
  return { ran: site.started.size, accepted: site.accepted.size };
};

/**
 * A stack with resources and a deployment is created, updated and deleted, while one call of SQLite
 * fails. A user and an agent repeat requests that were answered with 503. The host is in step mode,
 * so waits take no time.
 */

import { steppedEngine } from "#host/dev-routes.ts";
import { bindStepPorts, type StepPorts } from "#host/host-ports.ts";
import { answerRequests } from "#host/routes.ts";
import { sweepLostMessages } from "#host/sweeper.ts";
import { RetryLater } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { stepMode } from "#lib/stepping/step-mode.ts";
import { refuseWriting } from "#lib/stepping/step-routes.ts";

const STEPS_MAX = 2_000;
/** The fault is reported once, and the end of the fault may be reported too. */
const TRIES_MAX = 3;
const URL_BASE = "http://127.0.0.1:1";

export interface Told {
  readonly status: number;
  readonly body: Json;
}

export interface Ending {
  readonly statuses: readonly string[];
  readonly events: readonly string[];
  readonly repeatedEvents: number;
  readonly result: Json;
  readonly objectsLeft: number;
  readonly objectsCreated: number;
  readonly messagesLeft: number;
  readonly messagesLost: number;
  readonly answered503: number;
}

const template = (version: string): JsonObject => ({
  heat_template_version: "2016-10-14",
  resources: {
    first: { type: "OS::Heat::TestResource", properties: { value: `${version}` } },
    second: {
      type: "OS::Heat::TestResource",
      properties: { value: { get_attr: ["first", "output"] }, update_replace_value: version },
    },
    server: { type: "OS::Heat::DeployedServer", properties: { name: "web" } },
    config: {
      type: "OS::Heat::SoftwareConfig",
      properties: {
        group: "script",
        config: `#!/bin/sh ${version}`,
        outputs: [{ name: "result" }],
      },
    },
    deployment: {
      type: "OS::Heat::SoftwareDeployment",
      depends_on: "second",
      properties: { config: { get_resource: "config" }, server: { get_resource: "server" } },
    },
  },
  outputs: {
    agent: { value: { get_attr: ["server", "os_collect_config"] } },
    result: { value: { get_attr: ["deployment", "result"] } },
  },
});

const at = (document: Json | undefined, ...path: readonly (string | number)[]): Json => {
  const found = path.reduce<Json | undefined>((value, key) => {
    if (Array.isArray(value)) return value[Number(key)];
    return isJsonObject(value) ? value[String(key)] : undefined;
  }, document);
  return found ?? null;
};
const listAt = (document: Json, ...path: readonly (string | number)[]): readonly Json[] => {
  const found = at(document, ...path);
  return Array.isArray(found) ? found : [];
};

const patient = (host: StepPorts) => {
  let refused = 0;
  return {
    refused: () => refused,
    repeat: async <T>(work: () => Promise<T>, isRefusal: (answer: T) => boolean): Promise<T> => {
      for (let tries = 1; ; tries += 1) {
        try {
          const answer = await work();
          if (!isRefusal(answer) || tries === TRIES_MAX) return answer;
        } catch (error) {
          if (!(error instanceof RetryLater) || tries === TRIES_MAX) throw error;
        }
        refused += 1;
        host.storage.lookAfter();
      }
    },
  };
};

const countSends = ({ ports }: StepPorts) => {
  let acknowledged = 0;
  const { send } = ports.queue;
  const counting: typeof send = async (queue, messages, delayMs) => {
    await send(queue, messages, delayMs);
    acknowledged += messages.length;
  };
  return { queue: { ...ports.queue, send: counting }, acknowledged: () => acknowledged };
};

const openWorld = () => {
  const bound = bindStepPorts(":memory:", URL_BASE);
  const sends = countSends(bound);
  const host: StepPorts = { ...bound, ports: { ...bound.ports, queue: sends.queue } };
  const user = patient(host);
  const answer = answerRequests(host, refuseWriting);
  const mode = stepMode(steppedEngine(host));

  const send = (method: string, path: string, body: JsonObject | null = null): Promise<Told> =>
    user.repeat(
      async () => {
        const url = new URL(path, URL_BASE);
        const { statusCode: status, body: text } = await answer({
          method,
          path: url.pathname,
          search: url.searchParams,
          headers: {},
          body: body && JSON.stringify(body),
        });
        const parsed: Json = text === "" ? null : JSON.parse(text);
        return { status, body: parsed };
      },
      ({ status }) => status === 503,
    );
  const step = async (): Promise<void> => {
    const { delivered } = await user.repeat(
      () => mode.step(1),
      () => false,
    );
    if (delivered === 0)
      await user.repeat(
        () => sweepLostMessages(host),
        () => false,
      );
  };
  return { host, user, send, step, sends, mode };
};

type World = ReturnType<typeof openWorld>;

const serveAgent = async ({ send }: World, stack: Json, done: Set<string>): Promise<void> => {
  const url = at(outputOf(stack, "agent"), "request", "metadata_url");
  if (typeof url !== "string") return;
  const { body } = await send("GET", url);
  for (const deployment of listAt(body, "deployments")) {
    const id = String(at(deployment, "id"));
    if (done.has(id)) continue;
    const signal = listAt(deployment, "inputs").find(
      (one) => at(one, "name") === "deploy_signal_id",
    );
    const result = { result: `done ${done.size}`, deploy_status_code: 0 };
    const { status } = await send("POST", String(at(signal ?? null, "value")), result);
    if (status === 200) done.add(id);
  }
};

const outputOf = (stack: Json, key: string): Json =>
  at(
    listAt(stack, "stack", "outputs").find((one) => at(one, "output_key") === key) ?? null,
    "output_value",
  );

const untilEnded = async (world: World, path: string, done: Set<string>): Promise<Json> => {
  for (let steps = 0; steps < STEPS_MAX; steps += 1) {
    await world.step();
    const { status, body } = await world.send("GET", path);
    if (status !== 200) throw new Error(`the stack is answered with ${status}`);
    if (!String(at(body, "stack", "stack_status")).endsWith("_IN_PROGRESS")) return body;
    await serveAgent(world, body, done);
  }
  throw new Error("the stack did not come to its end");
};

const expectStatus = (what: string, { status }: Told, allowed: readonly number[]): void => {
  if (!allowed.includes(status)) throw new Error(`${what} is answered with ${status}`);
};

/**
 * Plays the whole story. Throws if a request or the stack gets stuck. `opened` is called once the
 * host is open, because a fault before that only refuses the start.
 */
export const playStory = async (opened: () => void): Promise<Ending> => {
  const world = openWorld();
  opened();
  const { host, send, user, sends, mode } = world;
  const done = new Set<string>();
  const create = { stack_name: "app", template: template("one") };
  const created = await send("POST", "/v1/demo/stacks", create);
  // A refused create may have been accepted all the same, so its repetition can conflict.
  expectStatus("the create", created, user.refused() > 0 ? [201, 409] : [201]);
  const { body: list } = await send("GET", "/v1/demo/stacks");
  const path = `/v1/demo/stacks/app/${String(at(list, "stacks", 0, "id"))}`;
  const first = await untilEnded(world, path, done);
  expectStatus("the update", await send("PUT", path, { template: template("two") }), [202]);
  const second = await untilEnded(world, path, done);
  expectStatus("the delete", await send("DELETE", path), [204]);
  const third = await untilEnded(world, path, done);
  await user.repeat(
    () => mode.drain(),
    () => false,
  );
  const events = listAt((await send("GET", `${path}/events`)).body, "events");
  const left = await user.repeat(
    () => lookAtRest(host),
    () => false,
  );
  const ending = {
    statuses: [first, second, third].map((body) => String(at(body, "stack", "stack_status"))),
    events: [
      ...new Set(events.map((one) => `${at(one, "resource_name")} ${at(one, "resource_status")}`)),
    ].sort(),
    repeatedEvents: events.length - new Set(events.map((one) => String(at(one, "id")))).size,
    result: outputOf(second, "result"),
    objectsLeft: left.objects,
    // This is read last, because it creates an object.
    objectsCreated: await user.repeat(
      () => createdBy(host),
      () => false,
    ),
    messagesLeft: left.messages,
    messagesLost: Math.max(sends.acknowledged() - left.messagesStored, 0),
    answered503: user.refused(),
  };
  host.close();
  return ending;
};

const lookAtRest = async (host: StepPorts) => ({
  objects: (await host.objects.list()).length,
  messages: host.database.queue.messages().length,
  messagesStored: host.database.counters.read()["messages"] ?? 0,
});

/** The provider's ids count up, so the id of a new object tells how many there were before. */
const createdBy = async ({ objects }: StepPorts): Promise<number> => {
  const probe = { stackName: "", logicalName: "", type: "", properties: {}, waitMs: 0 };
  const answer = await objects.create({ ...probe, token: "probe" });
  return answer.state === "missing" ? 0 : Number(answer.physicalId.replace("object-", "")) - 1;
};

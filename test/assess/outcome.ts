/**
 * Creates and deletes a template with existing machines, in a world of its own. Agents and scripts
 * signal success as soon as a resource waits for them.
 */
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { at, listAt, openWorld, textAt, type World } from "#test/unit/api/api-world.ts";

const STACK = "assessed";
const ROUNDS_MAX = 2_000;

export interface Outcome {
  readonly end: "gone" | "refused" | "failed";
  readonly why: string;
  readonly signals: number;
}

const HANDLE = /^OS::Heat::(?:WaitCondition|SwiftSignal|UpdateWaitCondition)Handle$/;
const AWS_HANDLE = "AWS::CloudFormation::WaitConditionHandle";
const WAITS = /(?:WaitCondition|SwiftSignal|Deployment)$/;
const DEPLOYMENT = /Deployment$/;
const NESTED_DEPTH = 5;

const signalFor = (type: string, id: string): JsonObject | null => {
  if (HANDLE.test(type)) return { status: "SUCCESS", id, data: "", reason: "played" };
  if (type === AWS_HANDLE) return { Status: "SUCCESS", UniqueId: id, Data: "", Reason: "played" };
  return DEPLOYMENT.test(type) ? { deploy_status_code: 0 } : null;
};

const stepWhileDue = async (world: World): Promise<void> => {
  const { queue, clock } = world;
  for (let steps = 0; steps < ROUNDS_MAX; steps += 1) {
    if (!queue.pending.some(({ deliverAt }) => deliverAt <= clock.now())) return;
    await world.step();
  }
};

const stackOf = (resource: Json): string => {
  const link = listAt(resource, "links").find((one) => at(one, "rel") === "stack") ?? null;
  return new URL(textAt(link, "href")).pathname.replace(/^\/v1\/[^/]+/, "");
};

const isPending = (resource: Json): boolean =>
  textAt(resource, "resource_status").endsWith("IN_PROGRESS");

const playSignals = async (world: World, path: string, round: number): Promise<number> => {
  const { body } = await world.send("GET", `${path}/resources?nested_depth=${NESTED_DEPTH}`);
  const resources = listAt(body, "resources");
  const waiting = resources.filter(
    (one) => isPending(one) && WAITS.test(textAt(one, "resource_type")),
  );
  const stacks = new Set(waiting.map(stackOf));
  for (const resource of resources) {
    const type = textAt(resource, "resource_type");
    const isAwaited = DEPLOYMENT.test(type) ? isPending(resource) : stacks.has(stackOf(resource));
    const signal = signalFor(type, `round-${round}`);
    if (!isAwaited || signal === null) continue;
    const name = textAt(resource, "resource_name");
    await world.send("POST", `${stackOf(resource)}/resources/${name}/signal`, signal);
  }
  return waiting.length;
};

const statusOf = async (world: World, path: string): Promise<readonly [string, string]> => {
  const { status, body } = await world.send("GET", path);
  if (status === 404) return ["DELETE_COMPLETE", ""];
  const reason = at(body, "stack", "stack_status_reason");
  return [textAt(body, "stack", "stack_status"), typeof reason === "string" ? reason : ""];
};

/** The clock goes forward only while no resource waits for a signal. */
const follow = async (world: World, path: string) => {
  let signals = 0;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    await stepWhileDue(world);
    const [status, reason] = await statusOf(world, path);
    if (!status.endsWith("IN_PROGRESS")) return { status, reason, signals };
    const played = await playSignals(world, path, round);
    signals += played;
    if (played > 0) await stepWhileDue(world);
    await world.step();
  }
  return { status: "never ends", reason: "", signals };
};

const messageOf = (body: Json): string => {
  const message = isJsonObject(body) ? at(body, "error", "message") : null;
  return typeof message === "string" ? message : JSON.stringify(body);
};

export const outcomeOf = async (request: JsonObject): Promise<Outcome> => {
  const world = openWorld();
  const made = await world.send("POST", "/stacks", { ...request, stack_name: STACK });
  if (made.status !== 201) return { end: "refused", why: messageOf(made.body), signals: 0 };
  const path = `/stacks/${STACK}/${textAt(made.body, "stack", "id")}`;
  const created = await follow(world, path);
  const { signals } = created;
  if (created.status !== "CREATE_COMPLETE") {
    return { end: "failed", why: `${created.status}: ${created.reason}`, signals };
  }
  await world.send("DELETE", path);
  const deleted = await follow(world, path);
  if (deleted.status !== "DELETE_COMPLETE") {
    return { end: "failed", why: `${deleted.status}: ${deleted.reason}`, signals };
  }
  const unexpected = world.unexpected.map(String);
  if (unexpected.length > 0) return { end: "failed", why: unexpected.join("; "), signals };
  return { end: "gone", why: "", signals };
};

/**
 * A server that goes is drained first: the DELETE scripts of its deployments run before. The graph
 * orders it so within a stack. Deployments in another branch are updated after the servers. So
 * those of this server are removed here. Like a signal to a policy (P22), that is an acceptance on
 * the nested stack, outside of any operation of the parent.
 */
import { acceptTraversal } from "#lib/convergence/traversal.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Handler, Lifecycle, Progress, ProviderCall } from "#lib/ports/resource-type.ts";
import { isGone } from "#lib/resources/nested/nested-stack.ts";
import { loadTemplate, saveTemplate } from "#lib/stack/template-record.ts";
import { deploymentsAround, goesAtOnce, goingServers, type Undoing } from "./deployments-around.ts";
import { withoutDeployments } from "./without-deployments.ts";

const POLL_MS = 5_000;
/** Servers that go at the same time have begun by then, so that one update drains all of them. */
const FIRST_POLL_MS = 1_000;
const MINUTE_MS = 60_000;
/** The handle is this and the time at which the server's DELETE began to wait. */
const DRAINING = "draining since ";
/** Of the server's time. What is begun has so much for its end, and the server goes after it. */
const SHARE_OF_TIME = 0.8;

/** What a stack of deployments still has to do for the server. Null: nothing. */
type Drained = "waits" | { readonly failed: string } | null;

interface Draining {
  readonly call: ProviderCall;
  /** The server's DELETE began to wait. */
  readonly since: number;
  readonly leftMs: number;
  readonly isFirst: boolean;
}

/** What the stack's target, which has none of them, does about these. Null: not all it should. */
const underWay = async (
  { store }: Ports,
  below: Stack,
  own: readonly Undoing[],
  since: number,
): Promise<Drained> => {
  for (const { row } of own) {
    const now = await store.getResource({ stackId: below.id, id: row.id });
    if (now?.action !== "DELETE") continue;
    if (now.status === "IN_PROGRESS") return "waits";
    if (now.status === "FAILED" && now.updatedAt >= since) return { failed: below.statusReason };
  }
  return null;
};

/**
 * The deployments of a stack beside the server's branch. A busy stack is asked again, since none of
 * its operations waits for a server to go. Other servers may go too: then their scripts run at the
 * same time.
 */
const drainStack = async (
  engine: Ports,
  { call, since, leftMs, isFirst }: Draining,
  around: readonly Undoing[],
): Promise<Drained> => {
  const own = around.filter(({ server }) => server === call.physicalResourceId);
  const below = own[0] && (await engine.store.getStack(call.tenant, own[0].stack.id));
  if (!below?.owner || isGone(below) || below.suspended) return null;
  const { owner } = below;
  // A delete of the whole stack comes to this server too. One that has failed is tried again.
  const isDelete = below.action === "DELETE";
  const target = engine.ids.derive("drained template", call.token, below.id);
  const isAtIt = isDelete ? below.traversalId === target : below.templateId === target;
  if (isAtIt && below.status === "FAILED") return { failed: below.statusReason };
  const row = await engine.store.getResource({ stackId: owner.stackId, id: owner.resourceId });
  const isBusy = below.status === "IN_PROGRESS" || Boolean(row?.operation);
  if (isFirst || isAtIt || isBusy) return "waits";
  const timeoutMins = Math.max(1, Math.floor(leftMs / MINUTE_MS));
  // A stack that has changed since it was read is looked at again.
  if (isDelete) {
    const deadline = engine.clock.now() + leftMs;
    const ownership = { owner: { ...owner, childTraversalId: target }, deadline };
    const { templateId } = below;
    await acceptTraversal(engine, below, { action: "DELETE", templateId, timeoutMins, ownership });
    return "waits";
  }
  const loaded = await loadTemplate(engine, below.tenant, below.id, below.templateId);
  // It went with those of another server.
  if (!own.some((one) => loaded.template.resources.has(one.row.name))) {
    if (below.status === "COMPLETE") return null;
    const drained = await underWay(engine, below, own, since);
    if (drained !== null) return drained;
  }
  const going = await goingServers(engine, call.tenant, around);
  const gone = (all: readonly Undoing[]): ReadonlySet<string> =>
    new Set(all.map((one) => one.row.name));
  const source =
    withoutDeployments(loaded, gone(around.filter(({ server }) => going.has(server)))) ??
    withoutDeployments(loaded, gone(own));
  if (source === null) return null;
  await saveTemplate(engine, below.tenant, below.id, target, source);
  await acceptTraversal(engine, below, { action: "UPDATE", templateId: target, timeoutMins });
  return "waits";
};

/** The update of its stack, which is above the server's own, removes the deployment by itself. */
const isGoing = async (engine: Ports, one: Undoing): Promise<boolean> => {
  const { tenant, id, status, templateId } = one.stack;
  if (one.above === null || status !== "IN_PROGRESS") return false;
  return goesAtOnce(one, (await loadTemplate(engine, tenant, id, templateId)).template);
};

/** More is begun only while there is time for it. That nothing is left is read anew. */
const drainAround = async (
  engine: Ports,
  draining: Draining,
  isFresh = false,
): Promise<Drained> => {
  const { tenant, stackId, physicalResourceId } = draining.call;
  const isOwn = ({ server }: Undoing): boolean => server === physicalResourceId;
  const all = await deploymentsAround(engine, tenant, stackId, { isFresh });
  let drained: Drained = null;
  for (const one of all) if (isOwn(one) && (await isGoing(engine, one))) drained = "waits";
  const beside = all.filter(({ above }) => above === null);
  for (const around of Map.groupBy(beside, ({ stack }) => stack.id).values()) {
    const mine = around.find(isOwn);
    if (mine === undefined) continue;
    const { stack } = mine;
    const own = await drainStack(engine, draining, around);
    if (own !== null && own !== "waits") {
      const { resourceName = stack.name } = stack.owner ?? {};
      return { failed: `its ${resourceName} cannot be deleted: ${own.failed}` };
    }
    drained = own ?? drained;
  }
  return drained === null && !isFresh ? drainAround(engine, draining, true) : drained;
};

/** A DELETE of any request that was delivered, and that waits for this server. */
const hasDeleteUnderWay = async (
  { softwareConfigs }: Ports,
  { tenant, physicalResourceId }: ProviderCall,
): Promise<boolean> =>
  (await softwareConfigs.listDeployments(physicalResourceId ?? "")).some(
    (one) => one.tenant === tenant && one.action === "DELETE" && one.status === "IN_PROGRESS",
  );

/**
 * What runs is waited for. Null: nothing on the server is to run before it goes, or a user has
 * given it up.
 */
const drain = async (
  engine: Ports,
  call: ProviderCall,
  since = engine.clock.now(),
  isFirst = true,
): Promise<Progress | null> => {
  const { physicalResourceId, deadline } = call;
  const leftMs = since + (deadline - since) * SHARE_OF_TIME - engine.clock.now();
  if (physicalResourceId === null || call.abandonsUnreachable) return null;
  const drained = leftMs > 0 ? await drainAround(engine, { call, since, leftMs, isFirst }) : null;
  if (drained !== null && drained !== "waits") return { state: "failed", reason: drained.failed };
  const waits = drained === "waits" || (await hasDeleteUnderWay(engine, call));
  const handle = `${DRAINING}${since}`;
  const pollAfterMs = isFirst ? FIRST_POLL_MS : POLL_MS;
  return waits ? { state: "waiting", handle, pollAfterMs, physicalResourceId } : null;
};

type Poll = NonNullable<Lifecycle["checkComplete"]>;

/** The DELETE of a server, after its deployments have had theirs. `poll` is of all its actions. */
export const drainedFirst = (
  engine: Ports,
  remove: Handler,
  poll: Poll = async () => ({ state: "finished" }),
): { readonly handleDelete: Handler; readonly checkComplete: Poll } => ({
  handleDelete: async (call, context) => (await drain(engine, call)) ?? remove(call, context),
  checkComplete: async (call, handle, context) => {
    if (!handle.startsWith(DRAINING)) return poll(call, handle, context);
    const since = Number(handle.slice(DRAINING.length));
    return (await drain(engine, call, since, false)) ?? remove(call, context);
  },
});

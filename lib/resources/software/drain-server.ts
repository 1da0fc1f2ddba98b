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
import { loadTemplate, saveTemplate } from "#lib/stack/template-record.ts";
import { deploymentsAround, goesAtOnce, type Undoing } from "./deployments-around.ts";
import { withoutDeployments } from "./without-deployments.ts";

const POLL_MS = 5_000;
const MINUTE_MS = 60_000;
/** The handle is this and the time at which the server's DELETE began to wait. */
const DRAINING = "draining since ";
/** Of the server's time. What is begun has so much for its end, and the server goes after it. */
const SHARE_OF_TIME = 0.8;

/** What a stack of deployments still has to do for the server. Null: nothing. */
type Drained = "waits" | { readonly failed: string } | null;

/**
 * A deployment beside the server's branch. A busy stack is asked again, since none of its
 * operations waits for a server to go.
 */
const drainStack = async (
  engine: Ports,
  call: ProviderCall,
  below: Stack,
  names: ReadonlySet<string>,
  leftMs: number,
): Promise<Drained> => {
  const { owner } = below;
  if (below.suspended || owner === null) return null;
  // A delete of the whole stack comes to this server too. One that has failed is tried again.
  const isDelete = below.action === "DELETE";
  const target = engine.ids.derive("drained template", call.token, below.id);
  const isAtIt = isDelete ? below.traversalId === target : below.templateId === target;
  if (isAtIt && below.status === "FAILED") return { failed: below.statusReason };
  const row = await engine.store.getResource({ stackId: owner.stackId, id: owner.resourceId });
  if (isAtIt || below.status === "IN_PROGRESS" || row?.operation) return "waits";
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
  const source = withoutDeployments(loaded, names);
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

/** By stack. The rows of a name are all of one deployment. */
const inStacks = (all: readonly Undoing[]): ReadonlyMap<string, readonly [Stack, Set<string>]> => {
  const stacks = new Map<string, readonly [Stack, Set<string>]>();
  for (const { stack, row, above } of all) {
    if (above !== null) continue;
    const [, names] = stacks.get(stack.id) ?? [stack, new Set<string>()];
    stacks.set(stack.id, [stack, names.add(row.name)]);
  }
  return stacks;
};

/** More is begun only while there is time for it. */
const drainAround = async (engine: Ports, call: ProviderCall, leftMs: number): Promise<Drained> => {
  const { tenant, stackId, physicalResourceId } = call;
  const all = await deploymentsAround(engine, tenant, stackId, (id) => id === physicalResourceId);
  let drained: Drained = null;
  for (const one of all) if (await isGoing(engine, one)) drained = "waits";
  for (const [stack, names] of inStacks(all).values()) {
    const own = await drainStack(engine, call, stack, names, leftMs);
    if (own !== null && own !== "waits") {
      const { resourceName = stack.name } = stack.owner ?? {};
      return { failed: `its ${resourceName} cannot be deleted: ${own.failed}` };
    }
    drained = own ?? drained;
  }
  return drained;
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
  since: number,
): Promise<Progress | null> => {
  const { physicalResourceId, deadline } = call;
  const leftMs = since + (deadline - since) * SHARE_OF_TIME - engine.clock.now();
  if (physicalResourceId === null || call.abandonsUnreachable) return null;
  const drained = leftMs > 0 ? await drainAround(engine, call, leftMs) : null;
  if (drained !== null && drained !== "waits") return { state: "failed", reason: drained.failed };
  const waits = drained === "waits" || (await hasDeleteUnderWay(engine, call));
  const handle = `${DRAINING}${since}`;
  return waits ? { state: "waiting", handle, pollAfterMs: POLL_MS, physicalResourceId } : null;
};

type Poll = NonNullable<Lifecycle["checkComplete"]>;

/** The DELETE of a server, after its deployments have had theirs. `poll` is of all its actions. */
export const drainedFirst = (
  engine: Ports,
  remove: Handler,
  poll: Poll = async () => ({ state: "finished" }),
): { readonly handleDelete: Handler; readonly checkComplete: Poll } => ({
  handleDelete: async (call, context) =>
    (await drain(engine, call, engine.clock.now())) ?? remove(call, context),
  checkComplete: async (call, handle, context) => {
    if (!handle.startsWith(DRAINING)) return poll(call, handle, context);
    const since = Number(handle.slice(DRAINING.length));
    return (await drain(engine, call, since)) ?? remove(call, context);
  },
});

/**
 * Drains a server before it is deleted: the DELETE scripts of its deployments run first. Within a
 * stack the graph ensures that order. Deployments in another branch would be updated only after the
 * server is gone, so they are removed here. Like a scaling signal (P22), this starts an update of
 * the nested stack outside of any operation of the parent.
 */
import { acceptTraversal } from "#lib/convergence/traversal/traversal.ts";
import { withoutMembers } from "#lib/groups/record.ts";
import { isJsonObject, type Json, mapOf, mergedMaps } from "#lib/json.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Handler, Lifecycle, Progress, ProviderCall } from "#lib/ports/resource-type.ts";
import { referredNames } from "#lib/stack/partial/reach.ts";
import {
  type LoadedTemplate,
  loadTemplate,
  saveTemplate,
  type TemplateSource,
} from "#lib/stack/record/template-record.ts";
import { formatOf } from "#lib/template/format.ts";
import { resourcesIn } from "#lib/template/functions/calls.ts";
import { functionsOf } from "#lib/template/functions/table.ts";
import { isJsonArray, member, sectionOf } from "#lib/template/json-shape.ts";
import { isGone } from "../nested/nested-stack.ts";
import { deploymentsAround, goesAtOnce, goingServers, type Undoing } from "./deployments-around.ts";

const POLL_MS = 5_000;
/**
 * By then other servers that are deleted together have begun too, so one update drains them all.
 */
const FIRST_POLL_MS = 1_000;
const MINUTE_MS = 60_000;
const DRAINING = "draining since ";
/**
 * The share of the server's time that its deployments may use. The rest is for the server itself.
 */
const SHARE_OF_TIME = 0.8;

type Drained = "waits" | { readonly failed: string } | null;

interface Draining {
  readonly call: ProviderCall;
  readonly since: number;
  readonly leftMs: number;
  readonly isFirst: boolean;
}

/**
 * Used when the stack's target contains none of these deployments any more.
 * @returns null when no DELETE is running and none has failed since.
 */
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
 * Removes the deployments of one nested stack. If that stack is busy, the next poll tries again.
 * This cannot deadlock, because no operation of that stack waits for a server to be deleted. The
 * scripts of several servers that are deleted together run in parallel.
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
  // A delete of the whole stack also serves this server. If it has failed, it is started again.
  const isDelete = below.action === "DELETE";
  const target = engine.ids.derive("drained template", call.token, below.id);
  const isAtIt = isDelete ? below.traversalId === target : below.templateId === target;
  if (isAtIt && below.status === "FAILED") return { failed: below.statusReason };
  const row = await engine.store.getResource({ stackId: owner.stackId, id: owner.resourceId });
  const isBusy = below.status === "IN_PROGRESS" || Boolean(row?.operation);
  if (isFirst || isAtIt || isBusy) return "waits";
  const timeoutMins = Math.max(1, Math.floor(leftMs / MINUTE_MS));
  // If the stack has changed since it was read, the acceptance is refused and the next poll reads
  // it again.
  if (isDelete) {
    const deadline = engine.clock.now() + leftMs;
    const ownership = { owner: { ...owner, childTraversalId: target }, deadline };
    const { templateId } = below;
    await acceptTraversal(engine, below, { action: "DELETE", templateId, timeoutMins, ownership });
    return "waits";
  }
  const loaded = await loadTemplate(engine, below.tenant, below.id, below.templateId);
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

const isGoing = async (engine: Ports, one: Undoing): Promise<boolean> => {
  const { tenant, id, status, templateId } = one.stack;
  if (one.above === null || status !== "IN_PROGRESS") return false;
  return goesAtOnce(one, (await loadTemplate(engine, tenant, id, templateId)).template);
};

/** Shared reads may be out of date, so the result "nothing left" is confirmed by a fresh read. */
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

const hasDeleteUnderWay = async (
  { softwareConfigs }: Ports,
  { tenant, physicalResourceId }: ProviderCall,
): Promise<boolean> =>
  (await softwareConfigs.listDeployments(physicalResourceId ?? "")).some(
    (one) => one.tenant === tenant && one.action === "DELETE" && one.status === "IN_PROGRESS",
  );

/**
 * Waits for scripts that run.
 * @returns null when nothing has to run before the server is deleted, or a user has given the
 * server up.
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

/**
 * Wraps the DELETE of a server so that its deployments are removed first. `poll` handles all other
 * actions.
 */
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

/**
 * Computes a stack's target without some of its deployments, whose servers are about to be deleted.
 */
export const withoutDeployments = (
  { source, template }: Pick<LoadedTemplate, "source" | "template">,
  names: ReadonlySet<string>,
): TemplateSource | null => {
  const { group } = source;
  if (group !== undefined) {
    return { ...source, group: { ...group, record: withoutMembers(group.record, names) } };
  }
  const isRead = [...template.resources.values()].some(
    (one) =>
      !names.has(one.name) && [...referredNames(template, one)].some((name) => names.has(name)),
  );
  if (isRead) return null;
  const { sections, resource } = formatOf(template.version);
  const functions = functionsOf(template.version);
  const resources = Object.entries(sectionOf(source.template, sections.resources))
    .filter(([name]) => !names.has(name))
    .map(([name, body]): [string, Json] => [name, notAfter(body, resource.dependsOn, names)]);
  const outputs = Object.entries(sectionOf(source.template, sections.outputs)).filter(
    ([, body]) => !resourcesIn(functions, body).some((name) => names.has(name)),
  );
  const left = { [sections.resources]: mapOf(resources), [sections.outputs]: mapOf(outputs) };
  return { ...source, template: mergedMaps<Json>(source.template, left) };
};

/** The barriers between batches also depend on members by name. */
const notAfter = (body: Json, key: string, names: ReadonlySet<string>): Json => {
  const after = isJsonObject(body) ? (member(body, key) ?? []) : [];
  const all = isJsonArray(after) ? after : [after];
  const left = all.filter((one) => typeof one !== "string" || !names.has(one));
  return left.length === all.length || !isJsonObject(body)
    ? body
    : mergedMaps<Json>(body, { [key]: left });
};

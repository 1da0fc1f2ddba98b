/**
 * A server that goes is drained first: the DELETE scripts of its deployments run before. The graph
 * orders it so within a stack. A group of deployments over a group of servers is updated after the
 * servers, so its members of this server are removed here. Like a signal to a policy (P22), that is
 * an acceptance on the nested stack, outside of any operation of the parent.
 */
import { acceptTraversal } from "#lib/convergence/traversal.ts";
import { isJsonObject, type Json, type JsonObject, jsonEquals } from "#lib/json.ts";
import { mapOf, mergedMaps } from "#lib/json-map.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { Handler, Lifecycle, Progress, ProviderCall } from "#lib/ports/resource-type.ts";
import { isDeployedOn } from "#lib/software-config/configs/component.ts";
import { openConfig } from "#lib/software-config/configs/config-content.ts";
import { isExtant } from "#lib/stack/best-resource.ts";
import { rowsWhere } from "#lib/stack/planned-rows.ts";
import { sectionOf } from "#lib/stack/stack-document.ts";
import { loadTemplate, saveTemplate, type TemplateSource } from "#lib/stack/template-record.ts";
import { isJsonArray } from "#lib/template/json-shape.ts";

const POLL_MS = 5_000;
const MINUTE_MS = 60_000;
/** The handle is this and the time at which the server's DELETE began to wait. */
const DRAINING = "draining since ";
/** Of the server's time. What is begun has so much for its end, and the server goes after it. */
const SHARE_OF_TIME = 0.8;

const GROUP = /^OS::Heat::(Software|Structured)Deployment(Group|s)$/;

/** What a group of deployments still has to do for the server. Null: nothing. */
type Drained = "waits" | { readonly failed: string } | null;

/** The groups of deployments in the stacks that the server's own is nested in. */
const groupsAbove = async (
  engine: Ports,
  { tenant, stackId }: ProviderCall,
): Promise<readonly Resource[]> => {
  const groups: Resource[] = [];
  let owner = (await engine.store.getStack(tenant, stackId))?.owner ?? null;
  while (owner !== null) {
    const { stackId: above } = owner;
    const found = await rowsWhere(engine, above, (row) => isExtant(row) && GROUP.test(row.type));
    groups.push(...found);
    owner = (await engine.store.getStack(tenant, above))?.owner ?? null;
  }
  return groups;
};

/** The members of the server that are there, if they have something to run for DELETE. */
const membersOn = async (
  engine: Ports,
  { tenant, physicalResourceId: server }: ProviderCall,
  below: Stack,
  { environment }: TemplateSource,
): Promise<readonly string[]> => {
  const { config = null, actions = null, servers = null } = environment.parameters;
  const named = new Set(
    Object.entries(isJsonObject(servers) ? servers : {}).flatMap(([name, id]) =>
      id === server ? [name] : [],
    ),
  );
  if (named.size === 0) return [];
  const { softwareConfigs, cipher } = engine;
  const record =
    typeof config === "string" ? await softwareConfigs.getConfig(tenant, config) : null;
  const content = record && (await openConfig(cipher, record));
  const texts = isJsonArray(actions) ? actions.map(String) : [];
  if (!isDeployedOn(content, texts, "DELETE")) return [];
  const rows = await rowsWhere(engine, below.id, (row) => isExtant(row) && named.has(row.name));
  return rows.map(({ name }) => name);
};

const without = (list: readonly Json[], names: readonly string[]): readonly Json[] =>
  list.filter((one) => !names.some((name) => jsonEquals(one, name)));

/** Barriers between batches name the members that they come after. */
const withoutMembers = (template: JsonObject, names: readonly string[]): JsonObject => {
  const kept = Object.entries(sectionOf(template, "resources"))
    .filter(([name]) => !names.includes(name))
    .map(([name, definition]): [string, Json] => {
      if (!isJsonObject(definition)) return [name, definition];
      const { depends_on: after = null } = definition;
      if (!isJsonArray(after)) return [name, definition];
      return [name, mergedMaps<Json>(definition, { depends_on: without(after, names) })];
    });
  return mergedMaps<Json>(template, { resources: mapOf(kept) });
};

/** A busy group is asked again: none of its operations waits for a server to go. */
const drainGroup = async (
  engine: Ports,
  call: ProviderCall,
  group: Resource,
  leftMs: number,
): Promise<Drained> => {
  const { tenant } = call;
  const below = await engine.store.getStack(tenant, group.physicalResourceId ?? "");
  if (below === null) return null;
  // A delete of the whole group has overtaken what waits here, and comes to this server too.
  if (below.action === "DELETE") return below.status === "IN_PROGRESS" ? "waits" : null;
  if (below.suspended) return null;
  const target = engine.ids.derive("drained template", call.token, below.id);
  if (below.templateId === target && below.status !== "IN_PROGRESS") {
    return below.status === "FAILED" ? { failed: below.statusReason } : null;
  }
  const { source } = await loadTemplate(engine, tenant, below.id, below.templateId);
  const names = await membersOn(engine, call, below, source);
  const isAtIt = below.templateId === target;
  if (names.length === 0 && !isAtIt) return null;
  const isBusy = isAtIt || below.status === "IN_PROGRESS" || group.operation !== null;
  if (!isBusy) await removeMembers(engine, below, { target, source, names, leftMs });
  return "waits";
};

interface Removed {
  readonly target: string;
  readonly source: TemplateSource;
  readonly names: readonly string[];
  readonly leftMs: number;
}

/** A group that has changed since it was read is looked at again. */
const removeMembers = async (
  engine: Ports,
  below: Stack,
  { target, source, names, leftMs }: Removed,
): Promise<void> => {
  const template = withoutMembers(source.template, names);
  await saveTemplate(engine, below.tenant, below.id, target, { ...source, template });
  await acceptTraversal(engine, below, {
    action: "UPDATE",
    templateId: target,
    timeoutMins: Math.max(1, Math.floor(leftMs / MINUTE_MS)),
  });
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
 * What runs is waited for. More is begun only while there is time for it. Null: nothing on the
 * server is to run before it goes, or a user has given it up.
 */
const drain = async (
  engine: Ports,
  call: ProviderCall,
  since: number,
): Promise<Progress | null> => {
  const { physicalResourceId, deadline } = call;
  const leftMs = since + (deadline - since) * SHARE_OF_TIME - engine.clock.now();
  if (physicalResourceId === null || call.abandonsUnreachable) return null;
  let waits = await hasDeleteUnderWay(engine, call);
  for (const group of leftMs > 0 ? await groupsAbove(engine, call) : []) {
    const drained = await drainGroup(engine, call, group, leftMs);
    if (drained === "waits") waits = true;
    else if (drained !== null) {
      return { state: "failed", reason: `its ${group.name} cannot be deleted: ${drained.failed}` };
    }
  }
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

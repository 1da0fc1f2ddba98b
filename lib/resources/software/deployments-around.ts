/**
 * Finds deployments with a DELETE script that no graph removes before their server. They are in a
 * stack above the server's stack, or in another branch below such a stack that is updated after the
 * server. Example: a deployment group, or a template with one deployment per server.
 *
 * Many servers may be deleted at once and need the same data, so all of them share each read for a
 * few seconds.
 */
import type { Json } from "#lib/json.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { openConfig } from "#lib/software-config/configs/config-content.ts";
import { isDeployedOn } from "#lib/software-config/configs/derive-config.ts";
import { rowPages } from "#lib/stack/planned-rows.ts";
import { openProperties } from "#lib/stack/record/reference.ts";
import { isExtant } from "#lib/stack/standing-rows.ts";
import { nestsStack } from "#lib/stack/type-predicates.ts";
import { isJsonArray, member } from "#lib/template/json-shape.ts";
import type { Template } from "#lib/template/template.ts";
import { stackBelow } from "../nested/nested-stack.ts";

/** Concurrent callers with the same key share one read. Its answer may be `maxAgeMs` old. */
class Recent<Answer> {
  readonly #maxAgeMs: number;
  readonly #entries = new Map<string, { readonly at: number; readonly answer: Promise<Answer> }>();

  constructor(maxAgeMs: number) {
    this.#maxAgeMs = maxAgeMs;
  }

  share(key: string, now: number, read: () => Promise<Answer>): Promise<Answer> {
    for (const [one, { at }] of this.#entries) {
      if (now - at < this.#maxAgeMs) break;
      this.#entries.delete(one);
    }
    const known = this.#entries.get(key);
    if (known !== undefined) return known.answer;
    const answer = read();
    this.#entries.set(key, { at: now, answer });
    answer.catch(() => this.#entries.delete(key));
    return answer;
  }
}

export const DEPLOYMENT = /^OS::Heat::(Software|Structured)Deployment$/;
/** A waiting server polls at this interval. */
const SHARED_MS = 5_000;

type Known = Pick<
  Resource,
  "tenant" | "id" | "name" | "type" | "requires" | "physicalResourceId"
> & {
  readonly isGoing: boolean;
  readonly server: string | null;
};

export interface Undoing {
  readonly stack: Stack;
  readonly row: Pick<Resource, "id" | "name">;
  readonly server: string;
  /**
   * Null when the stack is in another branch. `after` names the resources that require the
   * deployment and therefore go before it.
   */
  readonly above: null | { readonly after: readonly string[] };
}

interface Readings {
  readonly rows: Recent<readonly Known[]>;
  readonly around: Recent<readonly Undoing[]>;
}

const readings = new WeakMap<Ports["store"], Readings>();

const readingsOf = ({ store }: Ports): Readings => {
  const known = readings.get(store) ?? {
    rows: new Recent(SHARED_MS),
    around: new Recent(SHARED_MS),
  };
  readings.set(store, known);
  return known;
};

export const goesAtOnce = ({ row, above }: Undoing, { resources }: Template): boolean =>
  above !== null && ![row.name, ...above.after].some((name) => resources.has(name));

export const withThoseAbove = async (
  { store }: Ports,
  tenant: string,
  stackId: string,
): Promise<readonly Stack[]> => {
  const stacks: Stack[] = [];
  let stack = await store.getStack(tenant, stackId);
  while (stack !== null) {
    stacks.push(stack);
    stack = stack.owner && (await store.getStack(tenant, stack.owner.stackId));
  }
  return stacks;
};

/**
 * `stackId` is the stack of the server, or a stack whose update removes the nested stack with the
 * server. `isFresh` ignores shared reads, because a deployment may have been made since.
 */
export const deploymentsAround = async (
  engine: Ports,
  tenant: string,
  stackId: string,
  { isFresh = false } = {},
): Promise<readonly Undoing[]> => {
  if (isFresh) readings.delete(engine.store);
  const found: Undoing[] = [];
  const stacks = await withThoseAbove(engine, tenant, stackId);
  const traversals = stacks.map(({ traversalId }) => traversalId);
  for (const [index, { owner, action }] of stacks.entries()) {
    const stack = stacks[index + 1];
    // If the nested stack is being deleted, the graph of its parent has already removed everything
    // that requires it.
    if (stack === undefined || owner === null || action === "DELETE") continue;
    const { resourceId } = owner;
    // The traversals are part of the key, so data from before a newer request is not used.
    const moments = [traversals.slice(index + 1).join(), traversals.slice(index).join()] as const;
    const read = () => undoingAfter(engine, stack, resourceId, moments);
    const { around } = readingsOf(engine);
    found.push(...(await around.share(`${resourceId} ${moments[1]}`, engine.clock.now(), read)));
  }
  return found;
};

const undoingAfter = async (
  engine: Ports,
  stack: Stack,
  id: string,
  [own, nested]: readonly [own: string, nested: string],
): Promise<readonly Undoing[]> => {
  const found: Undoing[] = [];
  const rows = await rowsOf(engine, stack.id, own);
  for (const row of dependents(rows, id)) {
    const after = [...dependents(rows, row.id)].map(({ name }) => name);
    found.push(...(await undoingIn(engine, stack, row, { above: { after }, moment: nested })));
  }
  return found;
};

const dependents = (rows: readonly Known[], id: string): ReadonlySet<Known> => {
  const ids = new Set([id]);
  const found = new Set<Known>();
  for (let before = 0; before < ids.size; ) {
    before = ids.size;
    for (const row of rows) {
      if (ids.has(row.id) || !row.requires.some((one) => ids.has(one))) continue;
      ids.add(row.id);
      found.add(row);
    }
  }
  return found;
};

const undoingIn = async (
  engine: Ports,
  stack: Stack,
  row: Known,
  { above, moment }: Pick<Undoing, "above"> & { readonly moment: string },
): Promise<readonly Undoing[]> => {
  if (row.server !== null) return [{ stack, row, server: row.server, above }];
  if (!nestsStack(await engine.resourceTypes.get(row.type))) return [];
  const nested = await stackBelow(engine, row);
  if (nested === null) return [];
  const found: Undoing[] = [];
  for (const one of await rowsOf(engine, nested.id, moment)) {
    found.push(...(await undoingIn(engine, nested, one, { above: null, moment })));
  }
  return found;
};

export const goingServers = async (
  engine: Ports,
  tenant: string,
  around: readonly Undoing[],
): Promise<ReadonlySet<string>> => {
  const going = new Set<string>();
  for (const id of new Set(around.map(({ server }) => server))) {
    const server = await engine.softwareConfigs.getServer(id);
    if (server?.tenant !== tenant) continue;
    const rows = await rowsOf(engine, server.stackId, "");
    if (rows.some((row) => row.isGoing && row.physicalResourceId === id)) going.add(id);
  }
  return going;
};

const rowsOf = (engine: Ports, stackId: string, moment: string): Promise<readonly Known[]> =>
  readingsOf(engine).rows.share(`${stackId} ${moment}`, engine.clock.now(), async () => {
    const known: Known[] = [];
    const configs = new Map<string, boolean>();
    for await (const page of rowPages(engine, stackId)) {
      for (const row of page.filter(isExtant)) {
        const { tenant, id, name, type, requires, physicalResourceId, action, status } = row;
        const isGoing = action === "DELETE" && status === "IN_PROGRESS";
        const server = DEPLOYMENT.test(type) ? await undoneServer(engine, row, configs) : null;
        known.push({ tenant, id, name, type, requires, physicalResourceId, isGoing, server });
      }
    }
    return known;
  });

/**
 * @returns null when the deployment has no script for DELETE. `configs` caches which configs do.
 */
const undoneServer = async (
  engine: Ports,
  row: Resource,
  configs: Map<string, boolean>,
): Promise<string | null> => {
  const sealed = row.properties ?? row.operation?.properties;
  if (sealed === undefined) return null;
  const properties = await openProperties(engine, row, sealed);
  const server = member(properties, "server");
  if (typeof server !== "string") return null;
  const config = member(properties, "config") ?? null;
  const actions = member(properties, "actions") ?? null;
  const texts = isJsonArray(actions) ? actions.map(String) : [];
  const key = JSON.stringify([config, texts]);
  const isUndone = configs.get(key) ?? (await hasScript(engine, row.tenant, config, texts));
  configs.set(key, isUndone);
  return isUndone ? server : null;
};

const hasScript = async (
  { softwareConfigs, cipher }: Ports,
  tenant: string,
  config: Json,
  actions: readonly string[],
): Promise<boolean> => {
  const record =
    typeof config === "string" ? await softwareConfigs.getConfig(tenant, config) : null;
  return isDeployedOn(record && (await openConfig(cipher, record)), actions, "DELETE");
};

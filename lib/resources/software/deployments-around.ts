/**
 * The deployments around a server that have a script for DELETE, and that no graph removes before
 * it. They are in a stack above the server's own, or in a branch of such a stack that is updated
 * after the server's branch: a group of deployments, or a template that has one for each server.
 */
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { stackBelow } from "#lib/resources/nested/stack-below.ts";
import { isDeployedOn } from "#lib/software-config/configs/component.ts";
import { openConfig } from "#lib/software-config/configs/config-content.ts";
import { isExtant } from "#lib/stack/best-resource.ts";
import { rowsWhere } from "#lib/stack/planned-rows.ts";
import { openProperties } from "#lib/stack/reference.ts";
import { nestsStack } from "#lib/stack/type-predicates.ts";
import { isJsonArray, member } from "#lib/template/json-shape.ts";
import type { Template } from "#lib/template/template.ts";

export const DEPLOYMENT = /^OS::Heat::(Software|Structured)Deployment$/;

export interface Undoing {
  /** The deployment's. */
  readonly stack: Stack;
  readonly row: Resource;
  readonly server: string;
  /** Null: its stack is in another branch. `after` is what requires it, and so goes before it. */
  readonly above: null | { readonly after: readonly string[] };
}

type IsServer = (id: string) => boolean;

/** The target of its stack has neither the deployment nor what requires it. */
export const goesAtOnce = ({ row, above }: Undoing, { resources }: Template): boolean =>
  above !== null && ![row.name, ...above.after].some((name) => resources.has(name));

/** `stackId`: the server's stack, or the one whose update removes what has the server. */
export const deploymentsAround = async (
  engine: Ports,
  tenant: string,
  stackId: string,
  isServer: IsServer,
): Promise<readonly Undoing[]> => {
  const found: Undoing[] = [];
  let below = await engine.store.getStack(tenant, stackId);
  while (below?.owner) {
    const { owner, action }: Stack = below;
    const stack = await engine.store.getStack(tenant, owner.stackId);
    // The graph of the stack above has removed before what requires a nested stack that goes.
    if (stack !== null && action !== "DELETE") {
      const rows = await rowsWhere(engine, stack.id, isExtant);
      const near = dependents(rows, owner.resourceId);
      for (const row of near) {
        const after = [...dependents(rows, row.id)].map(({ name }) => name);
        found.push(...(await undoingIn(engine, stack, row, { isServer, above: { after } })));
      }
    }
    below = stack;
  }
  return found;
};

/** Directly or not. */
const dependents = (rows: readonly Resource[], id: string): ReadonlySet<Resource> => {
  const ids = new Set([id]);
  const found = new Set<Resource>();
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
  row: Resource,
  { isServer, above }: { readonly isServer: IsServer; readonly above: Undoing["above"] },
): Promise<readonly Undoing[]> => {
  if (DEPLOYMENT.test(row.type)) {
    const server = await undoneServer(engine, row, isServer);
    return server === null ? [] : [{ stack, row, server, above }];
  }
  if (!nestsStack(await engine.resourceTypes.get(row.type))) return [];
  const nested = await stackBelow(engine, row);
  if (nested === null) return [];
  const found: Undoing[] = [];
  for (const one of await rowsWhere(engine, nested.id, isExtant)) {
    found.push(...(await undoingIn(engine, nested, one, { isServer, above: null })));
  }
  return found;
};

/** Null: it is another server, or the deployment has no script for DELETE. */
const undoneServer = async (
  engine: Ports,
  row: Resource,
  isServer: IsServer,
): Promise<string | null> => {
  const sealed = row.properties ?? row.operation?.properties;
  if (sealed === undefined) return null;
  const properties = await openProperties(engine, row, sealed);
  const server = member(properties, "server");
  if (typeof server !== "string" || !isServer(server)) return null;
  const config = member(properties, "config") ?? null;
  const actions = member(properties, "actions") ?? null;
  const { softwareConfigs, cipher } = engine;
  const record =
    typeof config === "string" ? await softwareConfigs.getConfig(row.tenant, config) : null;
  const content = record && (await openConfig(cipher, record));
  const texts = isJsonArray(actions) ? actions.map(String) : [];
  return isDeployedOn(content, texts, "DELETE") ? server : null;
};

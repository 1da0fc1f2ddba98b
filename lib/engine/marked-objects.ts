/**
 * Objects at the providers that carry Hearth's mark and that no row of the project names. They are
 * of a time that a restore has lost, or of a stack that was abandoned. Nothing is deleted.
 */
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { MarkedObject } from "#provider/provider.ts";

export interface StrayObject extends MarkedObject {
  readonly type: string;
}

export interface StrayObjects {
  readonly objects: readonly StrayObject[];
  /** Types whose provider cannot tell, or did not answer. */
  readonly untold: readonly { readonly type: string; readonly why: string }[];
}

const CANNOT_LIST = "its provider cannot list what carries Hearth's mark";

export const findStrayObjects = async (ports: Ports, tenant: string): Promise<StrayObjects> => {
  const objects: StrayObject[] = [];
  const untold: StrayObjects["untold"][number][] = [];
  for (const name of ports.resourceTypes.names()) {
    const type = await ports.resourceTypes.get(name);
    if (type?.marked === undefined) continue;
    if (type.marked === null) untold.push({ type: name, why: CANNOT_LIST });
    else {
      try {
        objects.push(...(await type.marked(tenant)).map((one) => ({ ...one, type: name })));
      } catch (error) {
        untold.push({ type: name, why: error instanceof Error ? error.message : String(error) });
      }
    }
  }
  // The rows are read last: what was made meanwhile has one.
  const isNamed = objects.length === 0 ? () => true : await namedBy(ports, tenant);
  return { objects: objects.filter((one) => !isNamed(one)), untold };
};

/** An operation under way, or one whose outcome is open, may have made what no row names yet. */
const isOpen = ({ operation, outcomeUnknown }: Resource): boolean =>
  operation !== null || outcomeUnknown;

const namedBy = async (ports: Ports, tenant: string): Promise<(object: StrayObject) => boolean> => {
  const ids = new Set<string>();
  const open = new Set<string>();
  for (const { id } of await ports.store.listStacks(tenant)) {
    for (const row of await ports.store.listResources(id)) {
      if (row.physicalResourceId !== null) ids.add(row.physicalResourceId);
      if (isOpen(row)) open.add(`${row.stackId}/${row.name}`);
    }
  }
  return ({ physicalId, stackId, resourceName }) =>
    ids.has(physicalId) || open.has(`${stackId}/${resourceName}`);
};

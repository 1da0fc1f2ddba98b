/**
 * Objects at the providers that have Hearth's mark and that no row of the project names. They were
 * made in a time that a restore has lost, or belong to an abandoned stack. Nothing is deleted.
 */
import { inParallel } from "#lib/convergence/in-parallel.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import type { MarkedObject } from "#provider/provider.ts";

export interface StrayObject extends MarkedObject {
  readonly type: string;
}

export interface StrayObjects {
  readonly objects: readonly StrayObject[];
  readonly untold: readonly { readonly type: string; readonly why: string }[];
}

const NOTHING: StrayObjects = { objects: [], untold: [] };
const CANNOT_LIST = "its provider cannot list what carries Hearth's mark";
const MAY_BE_OPEN =
  "an operation of the type is under way or its outcome is unknown, and the provider has objects that may be of it. Ask again when it has ended";

export const findStrayObjects = async (ports: Ports, tenant: string): Promise<StrayObjects> => {
  const { objects, untold } = await askProviders(ports, tenant);
  // The rows are read last, so that objects created meanwhile have one.
  const rows = await readRows(ports, tenant);
  const unnamed = objects.filter((one) => !isNamed(rows, one));
  const open = unnamed.filter((one) => mayBeOpen(rows, one));
  const strays = unnamed.filter((one) => !mayBeOpen(rows, one));
  const held = [...new Set(open.map(({ type }) => type))];
  return {
    objects: strays,
    untold: [...untold, ...held.map((type) => ({ type, why: MAY_BE_OPEN }))],
  };
};

const askProviders = async (ports: Ports, tenant: string): Promise<StrayObjects> => {
  const { types } = await readRows(ports, tenant);
  const names = ports.resourceTypes.names();
  const answers = await inParallel(
    names.map((name) => async (): Promise<StrayObjects> => {
      const type = await ports.resourceTypes.get(name);
      if (type?.marked === undefined) return NOTHING;
      const { marked, unlisted } = type;
      if (unlisted !== undefined && !types.has(name)) {
        return { objects: [], untold: [{ type: unlisted.types, why: unlisted.why }] };
      }
      const found = marked === null ? CANNOT_LIST : await askProvider(marked, tenant);
      return typeof found === "string"
        ? { objects: [], untold: [{ type: name, why: found }] }
        : { objects: found.map((one) => ({ ...one, type: name })), untold: [] };
    }),
  );
  const untold = answers.flatMap((one) => one.untold);
  return {
    objects: answers.flatMap((one) => one.objects),
    untold: [...new Map(untold.map((one) => [one.type, one])).values()],
  };
};

const askProvider = async (
  marked: NonNullable<ResourceType["marked"]>,
  tenant: string,
): Promise<readonly MarkedObject[] | string> => {
  try {
    return await marked(tenant);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

interface Rows {
  readonly ids: ReadonlySet<string>;
  readonly open: ReadonlySet<string>;
  readonly openTypes: ReadonlySet<string>;
  readonly types: ReadonlySet<string>;
}

const isOpen = (type: ResourceType | null, row: Resource): boolean =>
  row.operation !== null ||
  row.outcomeUnknown ||
  (type?.unlisted?.isRequest(row.physicalResourceId ?? "") ?? false);

const readRows = async (ports: Ports, tenant: string): Promise<Rows> => {
  const ids = new Set<string>();
  const open = new Set<string>();
  const openTypes = new Set<string>();
  const types = new Set<string>();
  for (const { id } of await ports.store.listStacks(tenant)) {
    for (const row of await ports.store.listResources(id)) {
      const name = row.operation?.type ?? row.type;
      types.add(row.type).add(name);
      if (row.physicalResourceId !== null) ids.add(row.physicalResourceId);
      if (!isOpen(await ports.resourceTypes.get(row.type), row)) continue;
      open.add(`${row.stackId}/${row.name}`);
      openTypes.add(name);
    }
  }
  return { ids, open, openTypes, types };
};

const isNamed = ({ ids, open }: Rows, { physicalId, stackId, resourceName }: StrayObject) =>
  ids.has(physicalId) || open.has(`${stackId}/${resourceName}`);

/** A mark without names does not show which of the running operations made the object. */
const mayBeOpen = ({ openTypes }: Rows, { type, stackId }: StrayObject): boolean =>
  stackId === undefined && openTypes.has(type);

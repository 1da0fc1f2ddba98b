/** The resources of a stack as clients see them: one view for each name. */
import { RequestError } from "#lib/errors.ts";
import { BARRIER_TYPE } from "#lib/groups/barriers.ts";
import type { Resource } from "#lib/model/resource.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { RowOutline } from "#lib/ports/store.ts";
import { endOfWait } from "#lib/resources/groups/barrier.ts";
import { span } from "#lib/software-config/diagnosis/wording.ts";
import { definedTypeName } from "#lib/stack/defined-type.ts";
import { pauseIfDue } from "#lib/stack/in-turns.ts";
import { physicalName } from "#lib/stack/physical-name.ts";
import { type LoadedTemplate, loadTemplate } from "#lib/stack/record/template-record.ts";
import { isExtant, standingAmong } from "#lib/stack/standing-rows.ts";
import { nestsStack } from "#lib/stack/type-predicates.ts";
import type { ResourceDefinition } from "#lib/template/template.ts";

/** A null `row` does not exist yet. Heat shows it as INIT_COMPLETE. */
export interface ResourceView {
  readonly stack: Stack;
  readonly name: string;
  readonly type: string;
  readonly row: Resource | null;
  readonly requiredBy: readonly string[];
  readonly description: string;
  readonly nested: Pick<Stack, "tenant" | "id" | "name"> | null;
  /** Another row stands for the name: this one is replaced, or should have replaced it. */
  readonly isFormer?: true;
  readonly turn?: BatchTurn;
  readonly rows?: readonly RowOutline[];
}

/**
 * Every name of the target in its order, then the names whose rows only wait for removal. With
 * `withFormer` also the rows behind them, and the turns in a group.
 */
export const viewResources = async (
  ports: Ports,
  stack: Stack,
  loaded: LoadedTemplate,
  { withFormer = false }: { readonly withFormer?: boolean } = {},
): Promise<readonly ResourceView[]> => {
  const rows = await ports.store.listResources(stack.id);
  const standing = await standingAmong(ports, stack, rows);
  const view = viewerOf(ports, stack, loaded);
  const { resources } = loaded.template;
  const turns = withFormer ? turnsIn(resources, standing, stack.traversalId) : null;
  const views: ResourceView[] = [];
  for (const name of new Set([...resources.keys(), ...standing.keys()])) {
    const shown = await view(name, standing.get(name) ?? null);
    const turn = turns?.get(name);
    if (shown !== null) views.push(turn === undefined ? shown : { ...shown, turn });
  }
  if (!withFormer) return views;
  for (const row of rows) {
    if (!isExtant(row) || standing.get(row.name)?.id === row.id) continue;
    const shown = await view(row.name, row);
    if (shown !== null) views.push({ ...shown, requiredBy: [], isFormer: true });
  }
  return views;
};

/**
 * @returns a function that shows one resource, or null for a row without a type and for a barrier:
 * Heat has none, and clients count the resources of a group's stack
 */
export const viewerOf = (
  ports: Ports,
  stack: Stack,
  loaded: LoadedTemplate,
): ((name: string, row: Resource | null) => Promise<ResourceView | null>) => {
  const { resources } = loaded.template;
  const requiredBy = dependents(resources);
  return async (name, row) => {
    const definition = resources.get(name);
    const type = await shownType(ports, loaded, definition, row);
    if (type === undefined || type === BARRIER_TYPE) return null;
    await pauseIfDue(ports);
    return viewResource(ports, stack, { name, type, row, definition, requiredBy });
  };
};

interface Viewed extends Pick<ResourceView, "name" | "type" | "row"> {
  readonly definition: ResourceDefinition | undefined;
  readonly requiredBy: ReadonlyMap<string, readonly string[]>;
}

export const viewResource = async (
  ports: Ports,
  stack: Stack,
  { name, type, row, definition, requiredBy }: Viewed,
): Promise<ResourceView> => ({
  stack,
  name,
  type,
  row,
  requiredBy: requiredBy.get(name) ?? [],
  description: definition?.description ?? "",
  nested: await nestedStackOf(ports, stack, row),
});

/** The target's name for the type, unless the row has another type. */
const shownType = async (
  ports: Ports,
  { source }: LoadedTemplate,
  definition: ResourceDefinition | undefined,
  row: Resource | null,
): Promise<string | undefined> => {
  if (row === null || row.type === "") return definition?.type ?? row?.type;
  const isOfTarget = definition !== undefined && definedTypeName(source, definition) === row.type;
  return isOfTarget ? definition.type : wordForType(ports, row);
};

export const wordForType = async (ports: Ports, row: Resource): Promise<string> => {
  const { tenant, stackId, templateId, type, name } = row;
  // The template of a tombstone may be gone.
  if (templateId === null || !isExtant(row)) return type;
  const { source, template } = await loadTemplate(ports, tenant, stackId, templateId);
  const definition = template.resources.get(name);
  const isOfTemplate = definition !== undefined && definedTypeName(source, definition) === type;
  return isOfTemplate ? definition.type : type;
};

const nestedStackOf = async (
  ports: Ports,
  stack: Stack,
  row: Resource | null,
): Promise<ResourceView["nested"]> => {
  const id = row?.physicalResourceId ?? null;
  if (row === null || id === null) return null;
  if (!nestsStack(await ports.resourceTypes.get(row.type))) return null;
  const call = { stackName: stack.name, resourceName: row.name };
  return { tenant: stack.tenant, id, name: physicalName(call, id) };
};

export const dependents = (
  resources: ReadonlyMap<string, ResourceDefinition>,
): ReadonlyMap<string, readonly string[]> => {
  const requirements = [...resources.values()]
    .filter(({ type }) => type !== BARRIER_TYPE)
    .flatMap(({ name, requires }) => requires.map((required) => ({ name, required })));
  const byRequired = Map.groupBy(requirements, ({ required }) => required);
  return new Map([...byRequired].map(([required, of]) => [required, of.map(({ name }) => name)]));
};

export const resourceNotFound = (name: string, stack: Stack): RequestError =>
  new RequestError(
    "ResourceNotFound",
    404,
    `The Resource (${name}) could not be found in Stack ${stack.name}.`,
  );

/** Which batch's turn it is in a group that creates or updates its members in batches. */
interface BatchTurn {
  readonly batch: number;
  readonly batches: number;
  readonly current: number;
  readonly working: readonly string[];
  readonly begins: number | "after older operations" | null;
}

/** By member. Empty if the stack has no batches, or the last one has begun. */
const turnsIn = (
  resources: ReadonlyMap<string, ResourceDefinition>,
  rows: ReadonlyMap<string, Resource>,
  traversalId: string,
): ReadonlyMap<string, BatchTurn> => {
  const barriers = [...resources.values()].filter(({ type }) => type === BARRIER_TYPE);
  const isDone = (name: string): boolean => rows.get(name)?.updateDone === traversalId;
  const at = barriers.findIndex(({ name }) => !isDone(name));
  const barrier = barriers[at];
  if (barrier === undefined) return new Map();
  const places = new Map(barriers.map(({ name }, place) => [name, place]));
  const later = barriers.map((): string[] => []);
  for (const { name, type, requires } of resources.values()) {
    if (type === BARRIER_TYPE) continue;
    for (const required of requires) later[places.get(required) ?? barriers.length]?.push(name);
  }
  const isMember = (name: string): boolean => !places.has(name);
  const first = barriers[0]?.requires.filter(isMember) ?? [];
  // A pause before the first batch or after the last one is a batch without members.
  let count = 0;
  const numbers = [first, ...later].map(({ length }) => (length === 0 ? count : ++count));
  const working = barrier.requires.filter((name) => isMember(name) && !isDone(name));
  const whose = {
    batches: numbers.at(-1) ?? 0,
    current: numbers[working.length > 0 ? at : at + 1] ?? 0,
    working,
    begins: endOfWait(rows.get(barrier.name)?.operation?.handle ?? null),
  };
  const turns = new Map<string, BatchTurn>();
  for (const [place, members] of later.entries()) {
    if (place < at) continue;
    for (const name of members) turns.set(name, { batch: numbers[place + 1] ?? 0, ...whose });
  }
  return turns;
};

export const turnText = (turn: BatchTurn, listed: string, now: number): string => {
  const { batch, batches, current, working, begins } = turn;
  const own = `it waits for its turn in batch ${batch} of ${batches}`;
  if (working.length > 0) return `${own}: now it is the turn of batch ${current}, with ${listed}`;
  if (begins === null) return `${own}: batch ${current} is about to begin`;
  return begins === "after older operations"
    ? `${own}: batch ${current} begins when operations of an earlier update have ended`
    : `${own}: the pause before batch ${current} ends in ${span(begins - now)}`;
};

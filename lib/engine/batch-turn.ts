/** Which batch's turn it is in a group that creates or updates its members in batches. */
import { BARRIER_TYPE } from "#lib/groups/barriers.ts";
import type { Resource } from "#lib/model/resource.ts";
import { endOfWait } from "#lib/resources/groups/barrier.ts";
import { span } from "#lib/software-config/diagnosis/spans.ts";
import type { ResourceDefinition } from "#lib/template/template.ts";

export interface BatchTurn {
  readonly batch: number;
  readonly batches: number;
  readonly current: number;
  readonly working: readonly string[];
  readonly begins: number | "after older operations" | null;
}

type Definitions = ReadonlyMap<string, ResourceDefinition>;

/** By member. Empty if the stack has no batches, or the last one has begun. */
export const turnsIn = (
  resources: Definitions,
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
  const numbers = numbered([first, ...later]);
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

const numbered = (batches: readonly (readonly string[])[]): readonly number[] => {
  let count = 0;
  return batches.map(({ length }) => (length === 0 ? count : ++count));
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

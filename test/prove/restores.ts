/**
 * P14: at any moment the folder is backed up, and later it is restored as another life. The
 * provider and the agents keep what they know. All workers die with the host, and its clock does
 * not count the time away.
 */
import type { Resource } from "#lib/model/resource.ts";
import { isWaitingType, signalKey } from "../simulation/world/types.ts";
import { left, spend } from "./injected-faults.ts";
import type { Machine } from "./machine.ts";
import { insertSorted } from "./sorted.ts";
import { type Story, signalOf } from "./starts.ts";
import { type Backup, copyOf, type Ghost, type State } from "./state.ts";

const LIFE_GENERATIONS = 1_000;

interface FolderMove {
  readonly state: State;
  readonly what: string;
}

export const folderMoves = (machine: Machine, state: State): readonly FolderMove[] => {
  if (left(state, "restore") <= 0) return [];
  const restored = state.backup < 0 ? [] : [restoredFrom(machine, state)];
  const backups = state.backup < 0 ? [backedUp(machine, state)] : [];
  return [...restored, ...backups];
};

/** A message in a worker's hand is still in the folder, and is delivered again. */
const withoutWorkers = (machine: Machine, state: State): State => {
  const { tree, values, config, settle } = machine;
  const next = copyOf(state);
  const deliverAt = state.now + (config.redeliveredMs ?? 360_000);
  for (const id of state.workers) {
    const { message } = tree.node(id).start;
    if (message === null) continue;
    insertSorted(next.queue, values.entries.idOf({ message, deliverAt, isRepeated: true }));
  }
  next.workers = [];
  settle(next);
  return next;
};

const backedUp = (machine: Machine, state: State): FolderMove => {
  const { stack, formerStack, rows, points, graphs, parts, blobs, queue } = withoutWorkers(
    machine,
    state,
  );
  const backup = { stack, formerStack, rows, points, graphs, parts, blobs, queue };
  const next = copyOf(state);
  next.backup = machine.values.backups.idOf(backup);
  return { state: next, what: "the folder is backed up" };
};

/** The time continues from the backup, because its rows and messages are dated from there. */
const restoredFrom = (machine: Machine, state: State): FolderMove => {
  const { values } = machine;
  const backup = values.backups.valueOf(state.backup);
  const later = withoutWorkers(machine, state);
  const next: State = {
    ...copyOf(later),
    ...copiesOf(backup),
    workers: [],
    backup: -1,
    life: state.life + LIFE_GENERATIONS,
  };
  spend(next, "restore");
  next.ghost = values.ghosts.idOf(ghostAfter(machine, later, backup));
  return { state: next, what: "the folder is restored" };
};

const copiesOf = (backup: Backup): Backup => ({
  ...backup,
  rows: [...backup.rows],
  points: [...backup.points],
  graphs: [...backup.graphs],
  parts: [...backup.parts],
  queue: [...backup.queue],
});

/** Where an object of the folder is gone, its next update may fail. */
const ghostAfter = ({ values }: Machine, state: State, backup: Backup): Ghost => {
  const { objects } = values.providers.valueOf(state.provider);
  const rows = backup.rows.map((id) => values.rows.valueOf(id));
  const lost = Object.entries(objects)
    .filter(([token, { physicalId }]) => !rows.some((row) => accountsFor(row, token, physicalId)))
    .map(([, { physicalId }]) => physicalId);
  const there = new Set(Object.values(objects).map(({ physicalId }) => physicalId));
  const isGone = rows.some(
    ({ physicalResourceId: id, action }) => id !== null && action !== "DELETE" && !there.has(id),
  );
  const ghost = values.ghosts.valueOf(state.ghost);
  const number = values.stacks.valueOf(backup.stack)?.traversalNumber ?? 0;
  return {
    ...ghost,
    failedAt: isGone ? Number.MAX_SAFE_INTEGER : number,
    goodInTime: [],
    lost: [...new Set([...(ghost.lost ?? []), ...lost])].sort(),
  };
};

const accountsFor = (row: Resource, token: string, physicalId: string): boolean => {
  const { operation } = row;
  const own = operation && `${row.id}/${operation.action}/${operation.generation}`;
  return (
    row.physicalResourceId === physicalId || (own !== null && `${token}/`.startsWith(`${own}/`))
  );
};

interface LateSignal {
  readonly next: State;
  readonly story: Story;
}

export const lateSignals = ({ values, config }: Machine, state: State): readonly LateSignal[] => {
  if (state.life === 0) return [];
  const { published = [] } = values.ghosts.valueOf(state.ghost);
  const stored = values.blobs.valueOf(state.blobs);
  return state.rows.flatMap((id) => {
    const row = values.rows.valueOf(id);
    return published.flatMap((known) => {
      const [rowId, generation] = known.split("/");
      const number = Number(generation);
      if (rowId !== row.id || row.operation?.generation === number) return [];
      if (stored[signalKey(row.id, number)] !== undefined) return [];
      const story = signalOf(row, number, config.signals?.result ?? "COMPLETE");
      return [{ next: { ...copyOf(state), agents: state.agents - 1 }, story }];
    });
  });
};

export const notePublished = (state: State, row: Resource, { ghosts }: Machine["values"]): void => {
  const { operation } = row;
  if (operation?.handle == null || !isWaitingType(operation.type)) return;
  const ghost = ghosts.valueOf(state.ghost);
  const known = `${row.id}/${operation.generation}`;
  if (ghost.published?.includes(known)) return;
  const published = [...(ghost.published ?? []), known].sort();
  state.ghost = ghosts.idOf({ ...ghost, published });
};

export const wasUsed = (
  { providers, ghosts }: Machine["values"],
  state: State,
  row: Resource,
): boolean => {
  const generation = row.operation?.generation ?? row.generation;
  const token = `${row.id}/${row.operation?.action}/${generation}`;
  const { answers } = providers.valueOf(state.provider);
  const isAnswered = Object.keys(answers).some((one) => `${one}/`.startsWith(`${token}/`));
  const { published = [] } = ghosts.valueOf(state.ghost);
  return isAnswered || published.includes(`${row.id}/${generation}`);
};

import type { Message } from "#lib/ports/queue.ts";
import type { Machine } from "./machine.ts";
import type { State, Values } from "./state.ts";

type Workers = Pick<Machine, "tree" | "values" | "config">;

const USERS_MAX = 2;

const keptToken = (message: Message | null): string | undefined =>
  message?.type === "check_resource" ? message.kept?.token : undefined;

/**
 * The lowest number that no living worker, no record and no message has. Only this number tells
 * workers apart.
 */
export const freeLabel = ({ tree, values }: Workers, state: State): string => {
  const tokens = [
    ...state.rows.map((id) => values.rows.valueOf(id).lease?.token),
    ...state.queue.map((id) => keptToken(values.entries.valueOf(id).message)),
    ...state.workers.map((id) => keptToken(tree.node(id).start.message)),
  ];
  for (let number = 1; ; number++) {
    const label = `s${number}`;
    const isTaken =
      state.workers.some((id) => tree.node(id).start.label === label) ||
      tokens.some((token) => token?.startsWith(`${label}.`));
    if (!isTaken) return label;
  }
};

const usersAmong = ({ tree }: Workers, workers: readonly number[]): number =>
  workers.filter((id) => tree.node(id).start.label.startsWith("u")).length;

export const hasRoom = (machine: Workers, { workers }: State): boolean => {
  const { workersMax, usersApart } = machine.config;
  const counted = usersApart ? workers.length - usersAmong(machine, workers) : workers.length;
  return counted < workersMax;
};

export const hasRoomForUser = (machine: Workers, { workers }: State): boolean => {
  const { workersMax, usersApart } = machine.config;
  return usersApart ? usersAmong(machine, workers) < USERS_MAX : workers.length <= workersMax;
};

/** The protocol assumes that a provider call ends within its limit. */
export const isCalling = ({ tree }: Workers, { workers }: State): boolean =>
  workers.some((id) =>
    tree.node(id).pending.some(({ request }) => request.name.startsWith("fakeProvider.")),
  );

export const isAtRest = ({ stacks, rows }: Values, state: State): boolean =>
  [state.stack, ...state.nested].every((id) => stacks.valueOf(id)?.status !== "IN_PROGRESS") &&
  state.rows.every((id) => rows.valueOf(id).operation === null);

/**
 * The faults that a search injects: how many of each a path may still have, and the errors that
 * calls end with. Notes about failures tell the checkers which traversals need not succeed.
 */
import { RetryLater } from "#lib/errors.ts";
import type { Answer, Call } from "./engine-run.ts";
import type { Machine } from "./machine.ts";
import { STACK_ID } from "./starts.ts";
import { FAULTS, type Fault, type State } from "./state.ts";

export const left = (state: State, fault: Fault): number =>
  state.faults[FAULTS.indexOf(fault)] ?? 0;

export const spend = (state: State, fault: Fault): void => {
  const at = FAULTS.indexOf(fault);
  state.faults[at] = (state.faults[at] ?? 0) - 1;
};

export const REFUSAL = "refused by the provider";
const ERRORS = { refusal: new Error(REFUSAL), throttle: new RetryLater("throttled") } as const;
export type InjectedError = keyof typeof ERRORS;

export const ERROR_IDS = { refusal: -1, throttle: -2 } as const;

export const failed = ({ no }: Call, now: number, injected: InjectedError): Answer => ({
  no,
  now,
  result: { error: ERRORS[injected] },
});

export const noteRefusal = (machine: Machine, state: State, { request }: Call): void => {
  const [given] = request.with;
  if (typeof given !== "object" || given === null || !("token" in given)) return;
  const [rowId] = String(given.token).split("/");
  for (const id of state.rows) {
    const row = machine.values.rows.valueOf(id);
    if (row.id === rowId && row.operation) noteFailure(machine, state, row.operation.traversalId);
  }
};

export const noteFailure = (machine: Machine, state: State, traversalId: string): void => {
  const { ghosts, stacks } = machine.values;
  const graph = machine.shown.graph(traversalId);
  const stack = stacks.valueOf(state.stack);
  const isBelow =
    graph === undefined
      ? state.nested.some((id) => stacks.valueOf(id)?.traversalId === traversalId)
      : graph.stackId !== STACK_ID;
  const isCurrent = isBelow || stack?.traversalId === traversalId;
  const own = isBelow ? undefined : graph?.traversalNumber;
  const number = own ?? (isCurrent ? (stack?.traversalNumber ?? 0) : 0);
  const ghost = ghosts.valueOf(state.ghost);
  state.ghost = ghosts.idOf({ ...ghost, failedAt: Math.max(ghost.failedAt, number) });
};

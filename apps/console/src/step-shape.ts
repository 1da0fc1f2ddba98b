import * as z from "zod";
import type { WireResource } from "#client/wire.ts";
import type { Stack } from "./stack-data.ts";

const Waiting = z.looseObject({
  id: z.string(),
  queue: z.string(),
  type: z.string(),
  stack_id: z.string(),
  stack_name: z.string().nullable(),
  traversal: z.number().nullable(),
  is_current: z.boolean(),
  row: z.string().nullable(),
  name: z.string().nullable(),
  is_update: z.boolean().nullable(),
  acts_for_other: z.boolean().optional(),
  due_ms: z.number(),
  receives: z.number(),
});
export type Waiting = z.infer<typeof Waiting>;
export const Visits = z.looseObject({ steps: z.boolean(), waiting: z.array(Waiting) });

const Row = z.looseObject({
  uuid: z.string(),
  name: z.string(),
  physical_id: z.string().nullable(),
  requires: z.array(z.string()),
  replaces: z.string().nullable(),
  replaced_by: z.string().nullable(),
  action: z.string(),
  status: z.string(),
  locked_by: z.string().nullable(),
});
export type Row = z.infer<typeof Row>;
export const Rows = z.looseObject({ rows: z.array(Row) });

export const Stepped = z.object({ delivered: z.number(), pending: z.number() });
export type Stepped = z.infer<typeof Stepped>;

/** `dies`: the worker dies, and the message stays. `twice`: the queue keeps the handled message. */
export type Fate = "handled" | "dies" | "twice";

export interface Scene {
  readonly stack: Stack;
  readonly resources: readonly WireResource[];
  readonly waiting: readonly Waiting[];
  readonly rows: readonly Row[];
}

/** The label is that of docs/convergence.md: traversal, row, and U for update or C for cleanup. */
export const labelOf = ({ type, traversal, name, is_update, acts_for_other }: Waiting): string => {
  const number = traversal ?? "?";
  if (type === "prepare_traversal") return `prepare ${number}`;
  return `${number}${name ?? "?"}${acts_for_other === true ? "'" : ""}${is_update ? "U" : "C"}`;
};

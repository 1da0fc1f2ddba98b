/** Stacks as items of the Stacks table. */
import * as z from "zod";
import type { StackOwner } from "#lib/convergence/model.ts";
import { flag, id, number, oneOf, orNull, text, textList } from "./attributes.ts";

const owner = z.codec(
  z.object({
    M: z.object({
      stackId: id,
      resourceId: id,
      resourceName: text,
      generation: number,
      childTraversalId: id,
      rootId: id,
      depth: number,
    }),
  }),
  z.custom<StackOwner>(),
  { decode: ({ M }) => M, encode: (M) => ({ M }) },
);

export const stackItem = z.object({
  tenant: text,
  id: text,
  name: text,
  description: text,
  action: oneOf(["CREATE", "UPDATE", "DELETE", "ROLLBACK", "SUSPEND", "RESUME", "CHECK"]),
  status: oneOf(["IN_PROGRESS", "COMPLETE", "FAILED"]),
  statusReason: text,
  traversalId: text,
  traversalNumber: number,
  statusVersion: number,
  templateId: text,
  lastGood: orNull(text),
  running: orNull(text),
  overtook: flag,
  cleanupFailed: orNull(text),
  suspended: flag,
  deadline: number,
  timeoutMins: number,
  disableRollback: flag,
  tags: textList,
  owner: orNull(owner),
  settled: flag,
  createdAt: number,
  updatedAt: orNull(number),
  endedAt: orNull(number),
  deletedAt: orNull(number),
});

export const stackNameItem = z.object({ stackId: text });

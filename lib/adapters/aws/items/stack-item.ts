import * as z from "zod";
import { STACK_ACTIONS, STATUSES } from "#lib/model/action.ts";
import type { StackOwner, StackSnapshot } from "#lib/model/stack.ts";
import {
  flag,
  id,
  number,
  oneOf,
  orFalse,
  orNull,
  orStoredNull,
  text,
  textList,
} from "./attributes.ts";

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
      step: z.exactOptional(oneOf(["second", "closed"])),
    }),
  }),
  z.custom<StackOwner>(),
  { decode: ({ M }) => M, encode: (M) => ({ M }) },
);

const snapshot = z.codec(
  z.object({ M: z.object({ id: text, name: orStoredNull(text), createdAt: number }) }),
  z.custom<StackSnapshot>(),
  { decode: ({ M }) => M, encode: ({ id, name, createdAt }) => ({ M: { id, name, createdAt } }) },
);

type SnapshotAttribute = z.input<typeof snapshot>;

/**
 * An empty list is an absent attribute, because most stacks have no snapshots and older items lack
 * it.
 */
const snapshots = z.codec(
  z.optional(z.object({ L: z.array(z.custom<SnapshotAttribute>()) })),
  z.custom<readonly StackSnapshot[]>(Array.isArray),
  {
    decode: (value) => (value?.L ?? []).map((one) => z.decode(snapshot, one)),
    encode: (values) =>
      values.length === 0 ? undefined : { L: values.map((one) => z.encode(snapshot, one)) },
  },
);

export const stackItem = z.object({
  tenant: text,
  id: text,
  name: text,
  description: text,
  action: oneOf(STACK_ACTIONS),
  status: oneOf(STATUSES),
  statusReason: text,
  actor: orNull(text),
  traversalId: text,
  traversalNumber: number,
  statusVersion: number,
  templateId: text,
  lastGood: orNull(text),
  lastGoodTags: orNull(textList),
  lastGoodDescription: orNull(text),
  convergedAt: orNull(number),
  running: orNull(text),
  overtook: flag,
  sentAt: orNull(number),
  cleanupFailed: orNull(text),
  suspended: flag,
  abandonsUnreachable: orFalse,
  visitsAll: orFalse,
  converges: orFalse,
  deadline: number,
  timeoutMins: number,
  disableRollback: flag,
  tags: textList,
  owner: orNull(owner),
  snapshots,
  settled: flag,
  createdAt: number,
  updatedAt: orNull(number),
  endedAt: orNull(number),
  deletedAt: orNull(number),
  expiresAt: orNull(number),
});

export const stackNameItem = z.object({
  stackId: text,
  createdAt: orNull(number),
});

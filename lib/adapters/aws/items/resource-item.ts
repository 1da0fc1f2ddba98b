import * as z from "zod";
import { OPERATION_ACTIONS, RESOURCE_ACTIONS, STATUSES } from "#lib/model/action.ts";
import {
  HEALTHS,
  type Health,
  type LATER_RESOURCE_FIELDS,
  type Lease,
  type Operation,
  type Pause,
  type Resource,
} from "#lib/model/resource.ts";
import { stackOfPartition } from "#lib/model/row-partitions.ts";
import {
  flag,
  id,
  ids,
  type MayBeAbsent,
  number,
  oneOf,
  orFalse,
  orNull,
  orStoredNull,
  sealed,
  text,
} from "./attributes.ts";

const status = oneOf(STATUSES);
const action = oneOf(RESOURCE_ACTIONS);

const lease = z.codec(
  z.object({ M: z.object({ token: id, expiresAt: number }) }),
  z.custom<Lease>(),
  { decode: ({ M }) => M, encode: (M) => ({ M }) },
);

type Before = [Operation["before"]["action"], Operation["before"]["status"], string];

/** Short names keep a row below one write unit. Conditions refer only to `generation`. */
const operation = z.codec(
  z.object({
    M: z.object({
      t: id,
      u: flag,
      a: oneOf(OPERATION_ACTIONS),
      generation: number,
      s: number,
      d: number,
      h: orStoredNull(text),
      y: text,
      m: id,
      p: sealed,
      r: ids,
      b: z.object({ L: z.tuple([action, status, text]) }),
      k: z.exactOptional(flag),
    }),
  }),
  z.custom<Operation>(),
  {
    decode: ({ M }) => ({
      traversalId: M.t,
      isUpdate: M.u,
      action: M.a,
      generation: M.generation,
      startedAt: M.s,
      deadline: M.d,
      handle: M.h,
      type: M.y,
      templateId: M.m,
      properties: M.p,
      requires: M.r,
      ...(M.k ? { isStep: true as const } : {}),
      before: { action: M.b.L[0], status: M.b.L[1], statusReason: M.b.L[2] },
    }),
    encode: ({ before, ...of }) => {
      const was: Before = [before.action, before.status, before.statusReason];
      const M = {
        t: of.traversalId,
        u: of.isUpdate,
        a: of.action,
        generation: of.generation,
        s: of.startedAt,
        d: of.deadline,
        h: of.handle,
        y: of.type,
        m: of.templateId,
        p: of.properties,
        r: of.requires,
        b: { L: was },
        ...(of.isStep ? { k: true } : {}),
      };
      return { M };
    },
  },
);

const failed = z.codec(
  z.object({ M: z.object({ traversalId: id, isUpdate: flag }) }),
  z.custom<NonNullable<Resource["failed"]>>(),
  { decode: ({ M }) => M, encode: (M) => ({ M }) },
);

const health = z.codec(
  z.object({ M: z.object({ s: oneOf(HEALTHS), w: text, t: orStoredNull(id) }) }),
  z.custom<Health>(),
  {
    decode: ({ M }) => ({ state: M.s, what: M.w, seenBy: M.t }),
    encode: ({ state, what, seenBy }) => ({ M: { s: state, w: what, t: seenBy } }),
  },
);

const HOOKS = [
  "pre-create",
  "pre-update",
  "pre-delete",
  "post-create",
  "post-update",
  "post-delete",
] as const satisfies readonly Pause["hook"][];

const pause = z.codec(
  z.object({ M: z.object({ t: id, u: flag, k: oneOf(HOOKS), c: flag }) }),
  z.custom<Pause>(),
  {
    decode: ({ M }) => ({ traversalId: M.t, isUpdate: M.u, hook: M.k, cleared: M.c }),
    encode: ({ traversalId, isUpdate, hook, cleared }) => ({
      M: { t: traversalId, u: isUpdate, k: hook, c: cleared },
    }),
  },
);

/** The key contains the row's partition instead of its stack (lib/model/row-partitions.ts). */
const stackOfRow = z.codec(text, z.string(), {
  decode: stackOfPartition,
  encode: (stackId) => stackId,
});

const laterFields = {
  health: orNull(health),
  outcomeUnknown: orFalse,
  externalId: orNull(text),
  // Not `id`, because the events handler compares the attribute as text.
  signalId: orNull(text),
} satisfies Readonly<Record<keyof typeof LATER_RESOURCE_FIELDS, MayBeAbsent>>;

export const resourceItem = z.object({
  ...laterFields,
  tenant: text,
  stackId: stackOfRow,
  id: text,
  name: text,
  type: text,
  number,
  version: number,
  generation: number,
  templateId: orNull(id),
  action,
  status,
  statusReason: text,
  physicalResourceId: orStoredNull(text),
  properties: orNull(sealed),
  reference: orNull(sealed),
  requires: ids,
  replaces: orNull(id),
  replacedBy: orNull(id),
  updateDone: orNull(id),
  cleanupDone: orNull(id),
  failed: orNull(failed),
  checkFailed: flag,
  operation: orNull(operation),
  lease: orNull(lease),
  pause: orNull(pause),
  signals: number,
  nextPollAt: orNull(number),
  waitUntil: orNull(number),
  signalReason: orStoredNull(text),
  createdAt: number,
  updatedAt: number,
  expiresAt: orNull(number),
});

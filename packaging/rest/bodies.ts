/** Bodies of requests that no schema reads, because Heat's texts for what is wrong need more. */
import * as z from "zod/mini";

const none = z.unknown();

/** Exactly one key. */
export const Action = z.union([
  z.strictObject({ suspend: none }),
  z.strictObject({ resume: none }),
  z.strictObject({ check: none }),
  z.strictObject({ cancel_update: none }),
  z.strictObject({ cancel_without_rollback: none }),
]);

export const Mark = z.strictObject({
  /** As text too, in any case. */
  mark_unhealthy: z.union([z.boolean(), z.string()]),
  resource_status_reason: z.optional(z.unknown()),
});

export const SnapshotBody = z.object({ name: z.nullish(z.string()) });

/** Whatever the type of the resource takes; `unset_hook` clears a hook. */
export const Signal = z.unknown();

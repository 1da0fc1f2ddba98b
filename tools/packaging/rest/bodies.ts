/** Request bodies that the code parses by hand, because Heat's error texts require that. */
import * as z from "zod/mini";

const none = z.unknown();

export const Action = z.union([
  z.strictObject({ suspend: none }),
  z.strictObject({ resume: none }),
  z.strictObject({ check: none }),
  z.strictObject({ cancel_update: none }),
  z.strictObject({ cancel_without_rollback: none }),
]);

export const Mark = z.strictObject({
  mark_unhealthy: z.union([z.boolean(), z.string()]),
  resource_status_reason: z.optional(z.unknown()),
});

export const SnapshotBody = z.object({ name: z.nullish(z.string()) });

export const Signal = z.unknown();

import * as z from "zod";
import { STATUSES } from "#lib/model/action.ts";

/** An event as all stores keep it, in JSON. */
export const storedEvent = z.object({
  id: z.string(),
  tenant: z.string(),
  stackId: z.string(),
  time: z.number(),
  resourceName: z.string(),
  resourceType: z.string(),
  physicalResourceId: z.string(),
  resourceId: z.exactOptional(z.string()),
  resourceAction: z.string(),
  resourceStatus: z.enum(STATUSES),
  reason: z.string(),
  actor: z.exactOptional(z.string()),
  change: z
    .object({ recordId: z.string(), version: z.number(), traversalNumber: z.number() })
    // Events of an earlier version lack `change`, so only the times order them.
    .default({ recordId: "", version: 0, traversalNumber: 0 }),
  generation: z.exactOptional(z.number()),
});

/** GET /_health of an embedded host: it needs no token, so it says next to nothing. */
import * as z from "zod/mini";

export const LIVENESS_ROUTE = "_health";

export const OUT_OF_SERVICE = "out-of-service";

export const LivenessAnswer = z.object({
  alive: z.literal(true),
  /** Absent: the storage is well. */
  storage: z.optional(z.literal(OUT_OF_SERVICE)),
});

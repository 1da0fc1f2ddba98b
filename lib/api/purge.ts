/** POST /v1/{tenant}/_purge. In Heat this is a command for the operator only. */
import * as z from "zod";
import { purgeDeleted } from "#lib/engine/stacks/retire-stack.ts";
import { type Context, parseBodyOf, type Route, tenantOf } from "./context.ts";
import { type ApiResponse, jsonResponse } from "./http.ts";
import { isoTimeOrNull } from "./time.ts";

const SECOND_MS = 1_000;

export const purgeBody = z.strictObject({
  older_than_seconds: z.int().min(0),
  marker: z.nullable(z.string()).default(null),
});

export const PurgeAnswer = z.object({
  purged: z.array(
    z.object({ id: z.string(), stack_name: z.string(), deletion_time: z.nullable(z.string()) }),
  ),
  next_marker: z.nullable(z.string()),
});
type PurgeDocument = z.infer<typeof PurgeAnswer>;

const purge = async (context: Context): Promise<ApiResponse> => {
  const { older_than_seconds, marker } = parseBodyOf(purgeBody, context);
  const request = { olderThanMs: older_than_seconds * SECOND_MS, marker };
  const { purged, nextMarker } = await purgeDeleted(context.ports, tenantOf(context), request);
  const document: PurgeDocument = {
    purged: purged.map(({ id, name, deletedAt }) => ({
      id,
      stack_name: name,
      deletion_time: isoTimeOrNull(deletedAt),
    })),
    next_marker: nextMarker,
  };
  return jsonResponse(200, { ...document });
};

export const purgeRoutes: readonly Route[] = [
  { method: "POST", pattern: "/v1/{tenant}/_purge", handle: purge },
];

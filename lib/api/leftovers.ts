/**
 * What is left over: objects that have Hearth's mark but no stack, and what is kept of deleted
 * stacks. Heat has no such routes; there a command for the operator purges.
 */
import * as z from "zod";
import { findStrayObjects } from "#lib/engine/resources/marked-objects.ts";
import { purgeDeleted } from "#lib/engine/stacks/retire-stack.ts";
import type { Json } from "#lib/json.ts";
import { type Context, parseBodyOf, tenantOf } from "./context.ts";
import type { Route } from "./declared-route.ts";
import { documentAt, routeAt } from "./declared-route.ts";
import { type ApiResponse, isoTimeOrNull, jsonResponse } from "./http.ts";

export const ObjectsAnswer = z.object({
  objects: z.array(
    z.object({
      resource_type: z.string(),
      physical_resource_id: z.string(),
      stack_id: z.nullable(z.string()),
      stack_name: z.nullable(z.string()),
      resource_name: z.nullable(z.string()),
    }),
  ),
  untold: z.array(z.object({ resource_type: z.string(), reason: z.string() })),
});
export type ObjectsDocument = z.infer<typeof ObjectsAnswer>;

const list = async (context: Context): Promise<ApiResponse> => {
  const { objects, untold } = await findStrayObjects(context.ports, tenantOf(context));
  const document: ObjectsDocument = {
    objects: objects.map(({ type, physicalId, stackId, stackName, resourceName }) => ({
      resource_type: type,
      physical_resource_id: physicalId,
      stack_id: stackId ?? null,
      stack_name: stackName ?? null,
      resource_name: resourceName ?? null,
    })),
    untold: untold.map(({ type, why }) => ({ resource_type: type, reason: why })),
  };
  return jsonResponse(200, { ...document }, { "Cache-Control": "no-store" });
};

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

const purge = async (context: Context): Promise<Json> => {
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
  return { ...document };
};

export const leftoverRoutes: readonly Route[] = [
  routeAt("GET", "/v1/{tenant}/_objects", list, {
    summary:
      "What carries Hearth's mark at the providers, and no stack has. Heat has no such route",
    answers: { 200: "ObjectsAnswer" },
  }),
  documentAt("POST", "/v1/{tenant}/_purge", purge, {
    summary: "Removes what is kept of deleted stacks. Heat has no such route",
    body: "PurgeBody",
    answers: { 200: "PurgeAnswer" },
  }),
];

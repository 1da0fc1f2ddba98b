/** GET /v1/{tenant}/_objects, which Heat lacks: objects that have Hearth's mark but no stack. */
import * as z from "zod";
import { findStrayObjects } from "#lib/engine/resources/marked-objects.ts";
import { type Context, type Route, tenantOf } from "./context.ts";
import { type ApiResponse, jsonResponse } from "./http.ts";

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

export const objectRoutes: readonly Route[] = [
  { method: "GET", pattern: "/v1/{tenant}/_objects", handle: list },
];

/** What a create or an update would do. These routes write nothing. */
import { previewStack, type StackPreview } from "#lib/engine/preview-stack.ts";
import { CHANGES, previewUpdate } from "#lib/engine/preview-update.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { type Context, identityOf, type Route, STACK } from "./context.ts";
import { type ApiResponse, jsonResponse } from "./http.ts";
import { boolOf } from "./query.ts";
import { resourceDocument } from "./resources.ts";
import { createRequestOf, updateRequestOf } from "./stack-body.ts";
import { NO_DESCRIPTION } from "./stack-view.ts";
import { isoTime } from "./time.ts";

/** Shaped like a stack, but a preview has neither an id nor a state. */
const previewDocument = (ports: Ports, preview: StackPreview): JsonObject => {
  const description = preview.description || NO_DESCRIPTION;
  const now = isoTime(ports.clock.now());
  return {
    id: "None",
    links: [],
    stack_name: preview.name,
    creation_time: now,
    updated_time: null,
    deletion_time: null,
    stack_owner: null,
    parent: null,
    stack_user_project_id: null,
    description,
    template_description: description,
    parameters: preview.parameters,
    capabilities: [],
    notification_topics: [],
    disable_rollback: preview.disableRollback,
    timeout_mins: preview.timeoutMins,
    tags: [...preview.tags],
    resources: preview.resources.map((resource) => ({
      resource_name: resource.name,
      logical_resource_id: resource.name,
      physical_resource_id: "",
      resource_type: resource.type,
      resource_status: "INIT_COMPLETE",
      resource_status_reason: "",
      description: resource.description,
      required_by: [...resource.requiredBy],
      creation_time: now,
      updated_time: now,
      attributes: {},
      properties: resource.properties,
      metadata: resource.metadata,
    })),
  };
};

const previewCreate = async (context: Context): Promise<ApiResponse> => {
  const { ports } = context;
  const preview = await previewStack(ports, createRequestOf(context));
  return jsonResponse(200, { stack: previewDocument(ports, preview) });
};

const previewOf =
  (existing: boolean) =>
  async (context: Context): Promise<ApiResponse> => {
    const { ports, request } = context;
    boolOf(request.query, "show_nested", false);
    const wanted = updateRequestOf(context, existing);
    const changes = await previewUpdate(ports, identityOf(context), wanted);
    const documents = CHANGES.map((change) => [
      change,
      changes[change].map((view) => ({
        ...resourceDocument(context.callersUrl, view),
        resource_identity: {
          tenant: view.stack.tenant,
          stack_name: view.stack.name,
          stack_id: view.stack.id,
          path: `/resources/${view.name}`,
        },
      })),
    ]);
    return jsonResponse(200, { resource_changes: Object.fromEntries(documents) });
  };

/** Before the lookup by name in the table: it would take "preview" for a name. */
export const previewCreateRoutes: readonly Route[] = [
  { method: "POST", pattern: "/v1/{tenant}/stacks/preview", handle: previewCreate },
];

export const previewUpdateRoutes: readonly Route[] = [
  { method: "PUT", pattern: `${STACK}/preview`, handle: previewOf(false) },
  { method: "PATCH", pattern: `${STACK}/preview`, handle: previewOf(true) },
];

/** What is wrong with a template, and what a create or an update would do. Nothing is written. */
import {
  isPreviewedStack,
  type Previewed,
  type PreviewedParent,
} from "#lib/engine/previews/preview-resources.ts";
import { previewStack, type StackPreview } from "#lib/engine/previews/preview-stack.ts";
import {
  CHANGES,
  type ChangedResource,
  previewUpdate,
} from "#lib/engine/previews/preview-update.ts";
import { validateTemplate } from "#lib/engine/previews/validate-template.ts";
import { type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import { type Context, identityOf, STACK } from "./context.ts";
import type { Route } from "./declared-route.ts";
import { documentAt } from "./declared-route.ts";
import { isoTime } from "./http.ts";
import { boolOf, faultsOf } from "./query.ts";
import { resourceDocument } from "./resources.ts";
import { createRequestOf, stackBodyOf, updateRequestOf } from "./stack-body.ts";
import { outputDocument } from "./stack-view.ts";

const stackIdentity = ({ tenant }: StackPreview, stackName: string) => ({
  tenant,
  stack_name: stackName,
  stack_id: "None",
  path: "",
});

const parentDocument = ({ name, type, requiredBy }: PreviewedParent): JsonObject => ({
  resource_name: name,
  resource_type: type,
  required_by: [...requiredBy],
});

const resourcePreview = (
  preview: StackPreview,
  resource: Previewed,
  withParents: boolean,
): Json => {
  if (isPreviewedStack(resource)) {
    return resource.map((one) => resourcePreview(preview, one, withParents));
  }
  const stack = stackIdentity(preview, resource.stackName);
  const parent = resource.parents.at(-1);
  return {
    updated_time: null,
    creation_time: null,
    resource_name: resource.name,
    physical_resource_id: "",
    resource_action: "INIT",
    resource_status: "COMPLETE",
    resource_status_reason: "",
    resource_type: resource.type,
    resource_identity: { ...stack, path: `/resources/${resource.name}` },
    stack_identity: stack,
    stack_name: resource.stackName,
    required_by: [...resource.requiredBy],
    ...(parent === undefined ? {} : { parent_resource: parent.name }),
    ...(withParents ? { parents: resource.parents.map(parentDocument) } : {}),
    description: resource.description,
    metadata: resource.metadata,
    attributes: resource.attributes,
    properties: resource.properties,
  };
};

const previewDocument = (context: Context, preview: StackPreview): JsonObject => {
  const { name, tenant } = preview;
  const withParents = boolOf(context.request.query, "with_parents", false);
  return {
    id: "None",
    links: [{ rel: "self", href: `${context.callersUrl}/v1/${tenant}/stacks/${name}/None` }],
    stack_name: name,
    creation_time: isoTime(context.ports.clock.now()),
    updated_time: null,
    deletion_time: null,
    stack_owner: null,
    parent: null,
    stack_user_project_id: null,
    description: preview.description,
    template_description: preview.description,
    parameters: preview.parameters,
    outputs: preview.outputs.map(outputDocument),
    capabilities: [],
    notification_topics: [],
    disable_rollback: preview.disableRollback,
    timeout_mins: preview.timeoutMins,
    tags: [...preview.tags],
    resources: preview.resources.map((resource) => resourcePreview(preview, resource, withParents)),
  };
};

const previewCreate = async (context: Context): Promise<Json> => {
  const preview = await previewStack(
    context.ports,
    await createRequestOf(context),
    faultsOf(context.request.query),
  );
  return { stack: previewDocument(context, preview) };
};

const previewOf =
  (existing: boolean) =>
  async (context: Context): Promise<Json> => {
    const { ports, request } = context;
    const showNested = boolOf(request.query, "show_nested", false);
    const wanted = await updateRequestOf(context, existing);
    const preview = await previewUpdate(ports, identityOf(context), wanted, { showNested });
    const { changes, basis, outputs, parameters, warnings } = preview;
    const documents = CHANGES.map((change): [string, JsonObject[]] => [
      change,
      changes[change].map((one) => changedDocument(context, one)),
    ]);
    return {
      resource_changes: mapOf(documents),
      output_changes: outputs.map(({ name, change }) => ({ output_key: name, change })),
      parameter_changes: parameters.map(({ name, change, before, after, fallsBack }) => ({
        parameter_name: name,
        change,
        ...(before === undefined ? {} : { before }),
        ...(after === undefined ? {} : { after }),
        falls_back: fallsBack,
      })),
      basis,
      warnings: [...warnings],
    };
  };

const changedDocument = (
  { callersUrl }: Context,
  { view, change }: ChangedResource,
): JsonObject => ({
  ...resourceDocument(callersUrl, view),
  resource_identity: {
    tenant: view.stack.tenant,
    stack_name: view.stack.name,
    stack_id: view.stack.id,
    path: `/resources/${view.name}`,
  },
  change: {
    properties: change.properties.map(({ name, before, after, isUnknown }) => ({
      name,
      before,
      after,
      unknown: isUnknown,
    })),
    reason: change.reason,
    operation: change.operation === null ? null : { ...change.operation },
    visit: change.visit,
    keeps_object: change.keepsObject,
  },
});

const validate = async (context: Context): Promise<Json> => {
  const showNested = boolOf(context.request.query, "show_nested", false);
  const { templateBytesMax } = context.settings;
  const request = { ...(await stackBodyOf(context)), templateBytesMax };
  const result = await validateTemplate(context.ports, request, {
    showNested,
    faults: faultsOf(context.request.query),
  });
  const described = { Description: result.description, Parameters: result.parameters };
  const environment = { Environment: result.environment };
  const { parameterGroups, nestedParameters } = result;
  const warnings = result.warnings.length === 0 ? {} : { Warnings: [...result.warnings] };
  return mergedMaps<Json>(described, parameterGroups, nestedParameters, environment, warnings);
};

const PREVIEW_UPDATE = {
  query: ["full", "basis", "show_nested"],
  body: "StackBody",
  answers: { 200: "ChangesAnswer" },
  refusals: [409],
  access: "reads",
} as const;

export const previewRoutes: readonly Route[] = [
  documentAt("POST", "/v1/{tenant}/validate", validate, {
    summary: "What is wrong with a template, or its parameters",
    query: ["show_nested", "all_errors"],
    body: "StackBody",
    answers: { 200: "ValidateAnswer" },
    access: "reads",
    isOfNoStack: true,
  }),
  documentAt("POST", "/v1/{tenant}/stacks/preview", previewCreate, {
    summary: "What a create would make",
    query: ["all_errors", "with_parents"],
    body: "StackBody",
    answers: { 200: "PreviewAnswer" },
    refusals: [409],
    access: "reads",
    // `hearth template validate` requests a preview.
    isOfNoStack: true,
  }),
  documentAt("PUT", `${STACK}/preview`, previewOf(false), {
    summary: "What such an update would do",
    ...PREVIEW_UPDATE,
  }),
  documentAt("PATCH", `${STACK}/preview`, previewOf(true), {
    summary: "What such a partial update would do",
    ...PREVIEW_UPDATE,
  }),
];

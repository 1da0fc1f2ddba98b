import { createStack } from "#lib/engine/stacks/create-stack.ts";
import { deleteStack } from "#lib/engine/stacks/delete-stack.ts";
import type { StackIdentity } from "#lib/engine/stacks/find-stack.ts";
import {
  listStacks,
  STACK_SORT_KEYS,
  type StackListQuery,
} from "#lib/engine/stacks/list-stacks.ts";
import {
  listOutputs,
  showEnvironment,
  showFiles,
  showOutput,
  showStack,
  showTemplate,
} from "#lib/engine/stacks/show-stack.ts";
import {
  actOnStack,
  cancelUpdate,
  cancelUpdateWithoutRollback,
} from "#lib/engine/stacks/stack-actions.ts";
import { updateStack } from "#lib/engine/stacks/update-stack.ts";
import { badRequest } from "#lib/errors.ts";
import { mergedMaps } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import {
  bodyOf,
  type Context,
  identityOf,
  link,
  param,
  type Route,
  STACK,
  stackUrl,
  tenantOf,
  tenantUrl,
} from "./context.ts";
import { type ApiResponse, emptyResponse, jsonResponse, jsonTextResponse } from "./http.ts";
import { ascendingOf, boolOf, multiple, pageOf, type Query, queryString, tagsOf } from "./query.ts";
import { createRequestOf, updateRequestOf } from "./stack-body.ts";
import { stackDetails } from "./stack-details.ts";
import { outputDocument, stackDocument, stackLink, stackSummary } from "./stack-view.ts";

const create = async (context: Context): Promise<ApiResponse> => {
  const { ports, callersUrl } = context;
  const stack = await createStack(ports, await createRequestOf(context));
  const location = { Location: stackUrl(callersUrl, stack) };
  return jsonResponse(201, { stack: stackLink(callersUrl, stack) }, location);
};

/** Clients send these keys with and without `stack_`. */
const filtersOf = (query: Query): StackListQuery["filters"] => ({
  id: multiple(query, "id"),
  name: multiple(query, "name", "stack_name"),
  status: multiple(query, "status", "stack_status"),
  action: multiple(query, "action", "stack_action"),
  ownerId: multiple(query, "owner_id", "parent"),
  username: multiple(query, "username", "stack_owner"),
  tags: tagsOf(query, "tags"),
  tagsAny: tagsOf(query, "tags_any"),
  notTags: tagsOf(query, "not_tags"),
  notTagsAny: tagsOf(query, "not_tags_any"),
});

const listQueryOf = (query: Query): StackListQuery => {
  const asked = (multiple(query, "sort_keys") ?? []).map((key) => key.replace(/^stack_/, ""));
  const sortKeys = asked.flatMap((name) => STACK_SORT_KEYS.filter((key) => key === name));
  boolOf(query, "global_tenant", false);
  boolOf(query, "show_hidden", false);
  return {
    filters: filtersOf(query),
    showDeleted: boolOf(query, "show_deleted", false),
    showNested: boolOf(query, "show_nested", false),
    sortKeys,
    // As in Heat, only the order by time begins with the newest.
    ascending: ascendingOf(query, sortKeys.length > 0),
    counts: boolOf(query, "with_count", false),
    ...pageOf(query),
  };
};

const list = async (context: Context): Promise<ApiResponse> => {
  const { ports, request } = context;
  const { query } = request;
  const tenant = tenantOf(context);
  const listQuery = listQueryOf(query);
  const others = multiple(query, "tenant")?.every((other) => other !== tenant) ?? false;
  const page = others
    ? { stacks: [], count: listQuery.counts ? 0 : null }
    : await listStacks(ports, tenant, listQuery);
  const last = page.stacks.at(-1);
  const more = last !== undefined && page.stacks.length === listQuery.limit;
  const next = `${tenantUrl(context.callersUrl, tenant)}/stacks${queryString(mergedMaps(query, { marker: [last?.id ?? ""] }))}`;
  return jsonResponse(200, {
    stacks: page.stacks.map((stack) => stackSummary(context.callersUrl, stack)),
    ...(more ? { links: [link(next, "next")] } : {}),
    ...(page.count === null ? {} : { count: page.count }),
  });
};

const detail = async (context: Context): Promise<ApiResponse> => {
  const query = listQueryOf(context.request.query);
  const { stacks } = await listStacks(context.ports, tenantOf(context), query);
  return jsonTextResponse(
    200,
    await stackDetails({ ...context, tenant: tenantOf(context) }, stacks),
  );
};

const show = async (context: Context): Promise<ApiResponse> => {
  const resolveOutputs = boolOf(context.request.query, "resolve_outputs", true);
  const view = await showStack(context.ports, identityOf(context), { resolveOutputs });
  return jsonResponse(200, { stack: stackDocument(context.callersUrl, view) });
};

const update =
  (existing: boolean) =>
  async (context: Context): Promise<ApiResponse> => {
    const request = await updateRequestOf(context, existing);
    await updateStack(context.ports, identityOf(context), request);
    // openstacksdk looks for keys in the body, so it must be an object.
    return jsonResponse(202, {});
  };

const remove = async (context: Context): Promise<ApiResponse> => {
  const abandonsUnreachable = boolOf(context.request.query, "abandon_unreachable", false);
  const insists = boolOf(context.request.query, "force", false);
  await deleteStack(context.ports, identityOf(context), { abandonsUnreachable, insists });
  return emptyResponse(204);
};

const template = async (context: Context): Promise<ApiResponse> =>
  jsonResponse(200, await showTemplate(context.ports, identityOf(context)));

const environment = async (context: Context): Promise<ApiResponse> =>
  jsonResponse(200, await showEnvironment(context.ports, identityOf(context)));

const files = async (context: Context): Promise<ApiResponse> =>
  jsonResponse(200, await showFiles(context.ports, identityOf(context)));

/** Must come before the lookup by name in the table, which would accept "detail" as a name. */
export const stackListRoutes: readonly Route[] = [
  { method: "GET", pattern: "/v1/{tenant}/stacks", handle: list },
  { method: "POST", pattern: "/v1/{tenant}/stacks", handle: create },
  { method: "GET", pattern: "/v1/{tenant}/stacks/detail", handle: detail },
];

export const stackRoutes: readonly Route[] = [
  { method: "GET", pattern: STACK, handle: show },
  { method: "PUT", pattern: STACK, handle: update(false) },
  { method: "PATCH", pattern: STACK, handle: update(true) },
  { method: "DELETE", pattern: STACK, handle: remove },
  { method: "GET", pattern: `${STACK}/template`, handle: template },
  { method: "GET", pattern: `${STACK}/environment`, handle: environment },
  { method: "GET", pattern: `${STACK}/files`, handle: files },
];

type Verb = (ports: Ports, identity: StackIdentity) => Promise<unknown>;

const VERBS: ReadonlyMap<string, Verb> = new Map<string, Verb>([
  ["suspend", (ports, identity) => actOnStack(ports, identity, "SUSPEND")],
  ["resume", (ports, identity) => actOnStack(ports, identity, "RESUME")],
  ["check", (ports, identity) => actOnStack(ports, identity, "CHECK")],
  ["cancel_update", cancelUpdate],
  ["cancel_without_rollback", cancelUpdateWithoutRollback],
]);

const act = async (context: Context): Promise<ApiResponse> => {
  const [name, ...others] = Object.keys(bodyOf(context));
  if (name === undefined) throw badRequest("No action specified");
  if (others.length > 0) throw badRequest("Multiple actions specified");
  const verb = VERBS.get(name);
  if (!verb) throw badRequest(`Invalid action ${name} specified`);
  await verb(context.ports, identityOf(context));
  return jsonResponse(200, null);
};

export const actionRoutes: readonly Route[] = [
  { method: "POST", pattern: `${STACK}/actions`, handle: act },
];

const OUTPUTS = `${STACK}/outputs`;

const outputs = async (context: Context): Promise<ApiResponse> => {
  const found = await listOutputs(context.ports, identityOf(context));
  return jsonResponse(200, {
    outputs: found.map(({ key, description }) => ({ output_key: key, description })),
  });
};

const output = async (context: Context): Promise<ApiResponse> => {
  const found = await showOutput(context.ports, identityOf(context), param(context, "key"));
  return jsonResponse(200, { output: outputDocument(found) });
};

export const outputRoutes: readonly Route[] = [
  { method: "GET", pattern: OUTPUTS, handle: outputs },
  { method: "GET", pattern: `${OUTPUTS}/{key}`, handle: output },
];

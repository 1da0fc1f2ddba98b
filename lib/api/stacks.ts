import { createStack } from "#lib/engine/stacks/create-stack.ts";
import { deleteStack } from "#lib/engine/stacks/delete-stack.ts";
import type { StackIdentity } from "#lib/engine/stacks/find-stack.ts";
import {
  listStacks,
  STACK_SORT_KEYS,
  type StackListQuery,
} from "#lib/engine/stacks/list-stacks.ts";
import { progressesOf } from "#lib/engine/stacks/progress.ts";
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
import { type Json, mergedMaps } from "#lib/json.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import {
  bodyOf,
  type Context,
  identityOf,
  link,
  ofStack,
  param,
  STACK,
  stackUrl,
  tenantOf,
  tenantUrl,
} from "./context.ts";
import type { Route } from "./declared-route.ts";
import { documentAt, routeAt } from "./declared-route.ts";
import { type ApiResponse, emptyResponse, jsonResponse, jsonTextResponse } from "./http.ts";
import { ascendingOf, boolOf, multiple, pageOf, type Query, queryString, tagsOf } from "./query.ts";
import { createRequestOf, updateRequestOf } from "./stack-body.ts";
import { stackDetails } from "./stack-details.ts";
import { outputDocument, stackDocument, stackLink, stackSummary } from "./stack-view.ts";

const PROGRESS = "with_progress";

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

const list = async (context: Context): Promise<Json> => {
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
  const progresses = await progressesIn(context, page.stacks);
  return {
    stacks: page.stacks.map((stack) =>
      mergedMaps<Json>(stackSummary(context.callersUrl, stack), progresses?.get(stack.id)),
    ),
    ...(more ? { links: [link(next, "next")] } : {}),
    ...(page.count === null ? {} : { count: page.count }),
  };
};

const progressesIn = ({ ports, request }: Context, stacks: readonly Stack[]) =>
  boolOf(request.query, PROGRESS, false) ? progressesOf(ports, stacks) : null;

const detail = async (context: Context): Promise<ApiResponse> => {
  const query = listQueryOf(context.request.query);
  const { stacks } = await listStacks(context.ports, tenantOf(context), query);
  const text = await stackDetails({ ...context, tenant: tenantOf(context) }, stacks);
  return jsonTextResponse(200, text);
};

const show = async (context: Context): Promise<Json> => {
  const resolveOutputs = boolOf(context.request.query, "resolve_outputs", true);
  const view = await showStack(context.ports, identityOf(context), { resolveOutputs });
  const progresses = await progressesIn(context, [view.stack]);
  const document = stackDocument(context.callersUrl, view);
  return { stack: mergedMaps<Json>(document, progresses?.get(view.stack.id)) };
};

const update =
  (existing: boolean) =>
  async (context: Context): Promise<Json> => {
    const request = await updateRequestOf(context, existing);
    await updateStack(context.ports, identityOf(context), request);
    // openstacksdk looks for keys in the body, so it must be an object.
    return {};
  };

const remove = async (context: Context): Promise<ApiResponse> => {
  const abandonsUnreachable = boolOf(context.request.query, "abandon_unreachable", false);
  const insists = boolOf(context.request.query, "force", false);
  await deleteStack(context.ports, identityOf(context), { abandonsUnreachable, insists });
  return emptyResponse(204);
};

type Verb = (ports: Ports, identity: StackIdentity) => Promise<unknown>;

const VERBS: ReadonlyMap<string, Verb> = new Map<string, Verb>([
  ["suspend", (ports, identity) => actOnStack(ports, identity, "SUSPEND")],
  ["resume", (ports, identity) => actOnStack(ports, identity, "RESUME")],
  ["check", (ports, identity) => actOnStack(ports, identity, "CHECK")],
  ["cancel_update", cancelUpdate],
  ["cancel_without_rollback", cancelUpdateWithoutRollback],
]);

const act = async (context: Context): Promise<Json> => {
  const [name, ...others] = Object.keys(bodyOf(context));
  if (name === undefined) throw badRequest("No action specified");
  if (others.length > 0) throw badRequest("Multiple actions specified");
  const verb = VERBS.get(name);
  if (!verb) throw badRequest(`Invalid action ${name} specified`);
  await verb(context.ports, identityOf(context));
  return null;
};

const outputs = async (context: Context): Promise<Json> => {
  const found = await listOutputs(context.ports, identityOf(context));
  return { outputs: found.map(({ key, description }) => ({ output_key: key, description })) };
};

const output = async (context: Context): Promise<Json> => {
  const found = await showOutput(context.ports, identityOf(context), param(context, "key"));
  return { output: outputDocument(found) };
};

const STACKS = "/v1/{tenant}/stacks";
const LIST = [
  "id",
  "name",
  "status",
  "action",
  "owner_id",
  "username",
  "tags",
  "tags_any",
  "not_tags",
  "not_tags_any",
  "tenant",
  "global_tenant",
  "show_deleted",
  "show_hidden",
  "show_nested",
  "sort_keys",
  "sort_dir",
  "limit",
  "marker",
  "with_count",
];
const UPDATE = {
  query: ["full", "basis"],
  body: "StackBody",
  answers: { 202: "Empty" },
  refusals: [409],
} as const;

export const stackRoutes: readonly Route[] = [
  documentAt("GET", STACKS, list, {
    summary: "The stacks of a project",
    query: [...LIST, PROGRESS],
    answers: { 200: "StacksAnswer" },
  }),
  routeAt("POST", STACKS, create, {
    summary: "Creates a stack, or adopts one",
    body: "StackBody",
    answers: { 201: "CreatedAnswer" },
    refusals: [409],
  }),
  routeAt("GET", `${STACKS}/detail`, detail, {
    summary: "The stacks of a project with outputs and parameters",
    query: LIST,
    answers: { 200: "StackDetailsAnswer" },
  }),
  documentAt("GET", STACK, show, {
    summary: "A stack",
    query: ["resolve_outputs", PROGRESS],
    answers: { 200: "StackAnswer" },
  }),
  documentAt("PUT", STACK, update(false), {
    summary: "Updates a stack: what the body leaves out is gone",
    ...UPDATE,
  }),
  documentAt("PATCH", STACK, update(true), {
    summary: "Updates a stack: what the body leaves out stays",
    ...UPDATE,
  }),
  routeAt("DELETE", STACK, remove, {
    summary: "Deletes a stack",
    query: ["abandon_unreachable", "force", "basis"],
    answers: { 204: "nothing" },
    refusals: [409],
  }),
  documentAt("GET", `${STACK}/template`, ofStack(showTemplate), {
    summary: "The template of a stack",
    answers: { 200: "Values" },
  }),
  documentAt("GET", `${STACK}/environment`, ofStack(showEnvironment), {
    summary: "The environment of a stack, without hidden values",
    answers: { 200: "Values" },
  }),
  documentAt("GET", `${STACK}/files`, ofStack(showFiles), {
    summary: "The files of a stack, by name",
    answers: { 200: "Values" },
  }),
  documentAt("POST", `${STACK}/actions`, act, {
    summary: "Suspends, resumes or checks a stack, or cancels its update",
    query: ["basis"],
    body: "Action",
    answers: { 200: "Nothing" },
    refusals: [409],
  }),
  documentAt("GET", `${STACK}/outputs`, outputs, {
    summary: "The outputs of a stack, without values",
    answers: { 200: "OutputsAnswer" },
  }),
  documentAt("GET", `${STACK}/outputs/{key}`, output, {
    summary: "An output and its value",
    answers: { 200: "OutputAnswer" },
  }),
];

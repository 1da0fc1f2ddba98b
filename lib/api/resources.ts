import {
  listResourceDetails,
  listResources,
  ONE_PAGE,
  type ResourceListQuery,
  type ResourceMarker,
} from "#lib/engine/resources/list-resources.ts";
import type { ResourceView } from "#lib/engine/resources/resource-view.ts";
import {
  type ResourceDetail,
  showResource,
  showResourceMetadata,
} from "#lib/engine/resources/show-resource.ts";
import { stackBasis } from "#lib/engine/stacks/basis.ts";
import { badRequest } from "#lib/errors.ts";
import { type Json, type JsonObject, mergedMaps } from "#lib/json.ts";
import { pauseIfDue } from "#lib/stack/in-turns.ts";
import { type Context, identityOf, link, param, resourceUrl, STACK, stackUrl } from "./context.ts";
import type { Route } from "./declared-route.ts";
import { documentAt } from "./declared-route.ts";
import { isoTime } from "./http.ts";
import { boolOf, integerOf, multiple, pageOf, type Query, queryString } from "./query.ts";

// Heat's list of resources has no pages, so a request without a limit gets the whole list.

/** Neither ids nor names contain a slash. */
const markerOf = (text: string): ResourceMarker => {
  const [stackId = "", name = "", ...rest] = text.split("/");
  if (stackId === "" || name === "" || rest.length > 0) {
    throw badRequest(`The marker "${text}" is not of the form STACK_ID/RESOURCE_NAME.`);
  }
  return { stackId, name };
};

const resourcePageIn = (query: Query): ResourceListQuery["page"] => {
  const { marker, limit: size } = pageOf(query);
  const limit = size === 0 ? undefined : size;
  if (limit === undefined && marker === undefined) return null;
  return {
    after: marker === undefined ? null : markerOf(marker),
    limit: limit ?? Number.POSITIVE_INFINITY,
  };
};

const nextResources = (context: Context, { stack, name }: ResourceView) => {
  const query = mergedMaps(context.request.query, { marker: [`${stack.id}/${name}`] });
  const list = `${stackUrl(context.callersUrl, identityOf(context))}/resources`;
  return link(`${list}${queryString(query)}`, "next");
};

const RESOURCES = `${STACK}/resources`;
const FILTERS = ["type", "status", "name", "action", "id", "physical_resource_id"] as const;
const OPTIONS = ["nested_depth", "with_detail", "with_rows", "limit", "marker"];

const reasonOf = ({ row, waitsFor = null }: ResourceView & Partial<ResourceDetail>): string =>
  [row?.statusReason ?? "", waitsFor ?? ""].filter((text) => text !== "").join("; ");

export const resourceDocument = (
  callersUrl: string,
  view: ResourceView & Partial<ResourceDetail>,
) => {
  const { stack, row } = view;
  return {
    links: [
      link(resourceUrl(callersUrl, stack, view.name)),
      link(stackUrl(callersUrl, stack), "stack"),
      ...(view.nested === null ? [] : [link(stackUrl(callersUrl, view.nested), "nested")]),
    ],
    logical_resource_id: view.name,
    resource_name: view.name,
    physical_resource_id: row?.physicalResourceId ?? "",
    resource_status: row ? `${row.action}_${row.status}` : "INIT_COMPLETE",
    resource_status_reason: reasonOf(view),
    resource_type: view.type,
    creation_time: isoTime(row?.createdAt ?? stack.createdAt),
    updated_time: isoTime(row?.updatedAt ?? stack.createdAt),
    required_by: [...view.requiredBy],
    ...(stack.owner === null ? {} : { parent_resource: stack.owner.resourceName }),
    ...(view.attributes === undefined
      ? {}
      : { description: view.description, attributes: view.attributes }),
  };
};

export const unknownKeys = (given: object, allowed: readonly string[]): string | null => {
  const unknown = Object.keys(given).filter((key) => !allowed.includes(key));
  return unknown.length === 0 ? null : unknown.map((key) => `'${key}'`).join(", ");
};

/** One matching value is enough. As in Heat, a type matches by any part of its name. */
const filterValues = (
  { name, type, row }: ResourceView,
  filter: (typeof FILTERS)[number],
): readonly string[] => {
  const [action, status] = [row?.action ?? "INIT", row?.status ?? "COMPLETE"];
  switch (filter) {
    case "type":
      return [type];
    case "status":
      return [status, `${action}_${status}`];
    case "name":
      return [name];
    case "action":
      return [action];
    case "id":
      return row ? [row.id] : [];
    case "physical_resource_id":
      return row?.physicalResourceId ? [row.physicalResourceId] : [];
  }
};

const matches = (view: ResourceView, query: Query): boolean =>
  FILTERS.every((filter) => {
    const wanted = multiple(query, filter);
    if (wanted === undefined) return true;
    return filterValues(view, filter).some((actual) =>
      wanted.some((value) => (filter === "type" ? actual.includes(value) : actual === value)),
    );
  });

const rowDocuments = ({ row: standing, rows = [] }: ResourceView): JsonObject[] =>
  rows.map((row) => ({
    id: row.id,
    status: `${row.action}_${row.status}`,
    physical_resource_id: row.physicalResourceId ?? "",
    stands: row.id === standing?.id,
    replaces: row.replaces,
    replaced_by: row.replacedBy,
  }));

const list = async (context: Context): Promise<Json> => {
  const { ports, request } = context;
  const { query } = request;
  const unknown = unknownKeys(query, [...OPTIONS, ...FILTERS]);
  if (unknown !== null) throw badRequest(`Invalid filter parameters [${unknown}]`);
  const read = boolOf(query, "with_detail", false) ? listResourceDetails : listResources;
  const identity = identityOf(context);
  const withRows = boolOf(query, "with_rows", false);
  const page = resourcePageIn(query) ?? (withRows ? ONE_PAGE : null);
  const views = await read(ports, identity, {
    nestedDepth: integerOf(query, "nested_depth") ?? 0,
    matches: (view) => matches(view, query),
    page,
  });
  const resources: JsonObject[] = [];
  for (const view of views) {
    const document = resourceDocument(context.callersUrl, view);
    resources.push(withRows ? { ...document, rows: rowDocuments(view) } : document);
    await pauseIfDue(ports);
  }
  const last = views.at(-1);
  const isFull = last !== undefined && views.length === page?.limit;
  return {
    resources,
    ...(isFull ? { links: [nextResources(context, last)] } : {}),
  };
};

const show = async (context: Context): Promise<Json> => {
  const withAttr = multiple(context.request.query, "with_attr") ?? [];
  const name = param(context, "resource_name");
  const view = await showResource(context.ports, identityOf(context), name, withAttr);
  const document = resourceDocument(context.callersUrl, view);
  return { resource: { ...document, basis: stackBasis(view.stack) } };
};

const metadata = async (context: Context): Promise<Json> => {
  const name = param(context, "resource_name");
  return {
    metadata: await showResourceMetadata(context.ports, identityOf(context), name),
  };
};

export const resourceRoutes: readonly Route[] = [
  documentAt("GET", RESOURCES, list, {
    summary: "The resources of a stack",
    query: [
      "type",
      "status",
      "name",
      "action",
      "id",
      "physical_resource_id",
      "nested_depth",
      "with_detail",
      "with_rows",
      "limit",
      "resource_marker",
    ],
    answers: { 200: "ResourcesAnswer" },
  }),
  documentAt("GET", `${RESOURCES}/{resource_name}`, show, {
    summary: "A resource",
    query: ["with_attr"],
    answers: { 200: "ResourceAnswer" },
  }),
  documentAt("GET", `${RESOURCES}/{resource_name}/metadata`, metadata, {
    summary: "The metadata of a resource",
    answers: { 200: "MetadataAnswer" },
  }),
];

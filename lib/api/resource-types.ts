import { entityNotFound, RequestError } from "#lib/errors.ts";
import { type Json, type JsonObject, mapOf } from "#lib/json.ts";
import { isHidden, type SupportStatus } from "#lib/model/property-schema.ts";
import {
  type AttributeSchema,
  namedAttributes,
  type ResourceSchema,
  type ResourceType,
} from "#lib/ports/resource-type.ts";
import { isTemplateName } from "#lib/template/environment/registry.ts";
import { RAW_ATTRIBUTE } from "#lib/template/scope.ts";
import { type Context, param } from "./context.ts";
import type { Route } from "./declared-route.ts";
import { documentAt } from "./declared-route.ts";
import { boolOf, type Query, single } from "./query.ts";
import { propertySchemasDocument, typeTemplate } from "./type-documents.ts";

const supportDocument = ({ status, message, since, previous }: SupportStatus): JsonObject => ({
  status: status ?? "SUPPORTED",
  message: message ?? null,
  version: since ?? null,
  previous_status: previous === undefined ? null : supportDocument(previous),
});

/** Only `.*` is special. A client's own regular expression could block the engine. */
const nameMatches = (pattern: string, name: string): boolean => {
  const [prefix = "", ...rest] = pattern.replace(/^\^|\$$/g, "").split(".*");
  if (!name.startsWith(prefix)) return false;
  let from = prefix.length;
  for (const part of rest) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return true;
};

const STATUSES = ["UNKNOWN", "SUPPORTED", "DEPRECATED", "UNSUPPORTED", "HIDDEN"];

/**
 * A type's version is the one since which it has its status. Throws 400 for a status that Heat
 * lacks.
 */
const statusFilter = (query: Query): ((support: SupportStatus) => boolean) => {
  const wanted = single(query, "support_status");
  const version = single(query, "version");
  if (wanted !== undefined && !STATUSES.includes(wanted)) {
    const all = STATUSES.map((status) => `'${status}'`).join(", ");
    const reason = `Invalid support status and should be one of (${all})`;
    throw new RequestError("Invalid", 400, `Data supplied was not valid: ${reason}`);
  }
  return ({ status = "SUPPORTED", since }) =>
    (wanted === undefined || status === wanted) && (version === undefined || since === version);
};

const listTypes = async ({ ports, request }: Context): Promise<Json> => {
  const withDescription = boolOf(request.query, "with_description", false);
  const pattern = single(request.query, "name") ?? "";
  const isOfStatus = statusFilter(request.query);
  const names: string[] = [];
  for (const name of ports.resourceTypes.names().toSorted()) {
    if (!nameMatches(pattern, name)) continue;
    const type = await ports.resourceTypes.get(name);
    // As in Heat, a project does not see types that only administrators may use.
    if (type?.isReserved === true) continue;
    if (isOfStatus(type?.schema.support ?? {})) names.push(name);
  }
  if (!withDescription) return { resource_types: names };
  const described = names.map(async (name) => ({
    resource_type: name,
    description: (await ports.resourceTypes.get(name))?.schema.description ?? "",
  }));
  return { resource_types: await Promise.all(described) };
};

const typeOf = async (context: Context): Promise<ResourceType> => {
  const name = param(context, "type_name");
  const { resourceTypes } = context.ports;
  const type = await resourceTypes.get(name);
  if (type && isHidden(type.schema.support)) {
    throw new RequestError("NotSupported", 400, `${name} is not supported.`);
  }
  if (!type || isTemplateName(name)) throw entityNotFound("Resource Type", name);
  return type;
};

const RAW_ANSWER: AttributeSchema = {
  description: "What is known of the object behind the resource.",
  type: "map",
};

const attributesOf = (schema: ResourceSchema): readonly [string, AttributeSchema][] => [
  ...Object.entries(namedAttributes(schema)).filter(([, { support }]) => !isHidden(support)),
  [RAW_ATTRIBUTE, RAW_ANSWER],
];

const attributesDocument = (schema: ResourceSchema): JsonObject =>
  mapOf(
    attributesOf(schema).map(([name, { description, type }]) => [
      name,
      {
        ...(description === undefined ? {} : { description }),
        ...(type === undefined ? {} : { type }),
      },
    ]),
  );

const showType = async (context: Context): Promise<Json> => {
  const { schema } = await typeOf(context);
  const withDescription = boolOf(context.request.query, "with_description", false);
  return {
    resource_type: param(context, "type_name"),
    properties: schema.properties === "any" ? {} : propertySchemasDocument(schema.properties),
    attributes: attributesDocument(schema),
    support_status: supportDocument(schema.support ?? {}),
    ...(withDescription ? { description: schema.description } : {}),
  };
};

/** As in Heat, the default is CloudFormation's format. */
const showTemplate = async (context: Context): Promise<Json> => {
  const type = await typeOf(context);
  const asked = single(context.request.query, "template_type") ?? "cfn";
  const template = typeTemplate(type, attributesOf(type.schema), asked.toLowerCase());
  if (template !== null) return template;
  throw new RequestError(
    "HTTPBadRequest",
    400,
    `Template type is not supported: Invalid template type "${asked}", valid types are: cfn, hot.`,
  );
};

const TYPES = "/v1/{tenant}/resource_types";

export const resourceTypeRoutes: readonly Route[] = [
  documentAt("GET", TYPES, listTypes, {
    summary: "The resource types",
    query: ["type_name", "support_status", "version", "with_description"],
    answers: { 200: "TypesAnswer" },
    isOfNoStack: true,
  }),
  documentAt("GET", `${TYPES}/{type_name}`, showType, {
    summary: "The properties and attributes of a resource type",
    query: ["with_description"],
    answers: { 200: "TypeAnswer" },
    isOfNoStack: true,
  }),
  documentAt("GET", `${TYPES}/{type_name}/template`, showTemplate, {
    summary: "A template of one resource of this type",
    query: ["template_type"],
    answers: { 200: "Values" },
    isOfNoStack: true,
  }),
];

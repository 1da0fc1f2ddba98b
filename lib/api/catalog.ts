/** What this deployment can do: versions, builds, resource types, template versions. */
import { entityNotFound, RequestError } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { ResourceSchema, ResourceType } from "#lib/ports/resource-type.ts";
import { functionsOf } from "#lib/template/functions/table.ts";
import { VERSION_ALIASES, VERSION_KEY, VERSIONS, versionNamed } from "#lib/template/versions.ts";
import { type Context, param, type Route } from "./context.ts";
import { type ApiResponse, jsonResponse } from "./http.ts";
import { boolOf, single } from "./query.ts";
import { propertySchemasDocument } from "./resource-schema-view.ts";
import { link } from "./urls.ts";

const SUPPORTED: JsonObject = {
  status: "SUPPORTED",
  message: null,
  version: null,
  previous_status: null,
};

const versions = ({ callersUrl }: Context): ApiResponse =>
  jsonResponse(300, {
    versions: [{ id: "v1.0", status: "CURRENT", links: [link(`${callersUrl}/v1/`)] }],
  });

/** The routes and the engine are deployed together, and have one revision. */
const buildInfo = ({ settings: { revision } }: Context): ApiResponse =>
  jsonResponse(200, { api: { revision }, engine: { revision } });

/** Nothing waits anywhere between two messages, so there is no service to list. */
const services = (): ApiResponse => jsonResponse(200, { services: [] });

const templateVersions = (): ApiResponse =>
  jsonResponse(200, {
    template_versions: VERSIONS.map((version) => ({
      version: `${VERSION_KEY}.${version}`,
      type: "hot",
      aliases: Object.entries(VERSION_ALIASES)
        .filter(([, date]) => date === version)
        .map(([alias]) => `${VERSION_KEY}.${alias}`),
    })),
  });

/** Those that a template may call; there are none for conditions. */
const templateFunctions = (context: Context): ApiResponse => {
  boolOf(context.request.query, "with_condition_func", false);
  const named = param(context, "template_version");
  const [key, date = ""] = named.split(/\.(.*)/);
  const version = key === VERSION_KEY ? versionNamed(date) : null;
  if (version === null) {
    throw new RequestError("NotFound", 404, `Template with version ${named} not found`);
  }
  return jsonResponse(200, {
    template_functions: [...functionsOf(version).values()].flatMap(({ name, description }) =>
      description === undefined ? [] : [{ functions: name, description }],
    ),
  });
};

/** Only `.*` is special: to run a client's regular expression would let one request stop the engine. */
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

const listTypes = async ({ ports, request }: Context): Promise<ApiResponse> => {
  const withDescription = boolOf(request.query, "with_description", false);
  const pattern = single(request.query, "name") ?? "";
  const names = ports.resourceTypes
    .names()
    .filter((name) => nameMatches(pattern, name))
    .toSorted();
  if (!withDescription) return jsonResponse(200, { resource_types: names });
  const described = names.map(async (name) => ({
    resource_type: name,
    description: (await ports.resourceTypes.get(name))?.schema.description ?? "",
  }));
  return jsonResponse(200, { resource_types: await Promise.all(described) });
};

const typeOf = async (context: Context): Promise<ResourceType> => {
  const name = param(context, "type_name");
  const { resourceTypes } = context.ports;
  // What is a type only in the files of some request is not in the catalogue.
  const type = resourceTypes.names().includes(name) ? await resourceTypes.get(name) : null;
  if (!type) throw entityNotFound("Resource Type", name);
  return type;
};

const attributesDocument = ({ attributes }: ResourceSchema): JsonObject =>
  attributes === "any"
    ? {}
    : Object.fromEntries(
        Object.entries(attributes).map(([name, { description }]) => [name, { description }]),
      );

const showType = async (context: Context): Promise<ApiResponse> => {
  const { type, schema } = await typeOf(context);
  const withDescription = boolOf(context.request.query, "with_description", false);
  return jsonResponse(200, {
    resource_type: type,
    properties: schema.properties === "any" ? {} : propertySchemasDocument(schema.properties),
    attributes: attributesDocument(schema),
    support_status: SUPPORTED,
    ...(withDescription ? { description: schema.description } : {}),
  });
};

const TEMPLATE_TYPES: Readonly<Record<string, string>> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  list: "comma_delimited_list",
  map: "json",
  any: "json",
};

/** A template of one resource whose properties are all parameters and whose attributes are all outputs. */
const typeTemplate = async (context: Context): Promise<ApiResponse> => {
  const { type, schema } = await typeOf(context);
  const asked = single(context.request.query, "template_type")?.toLowerCase() ?? "hot";
  if (asked !== "hot") {
    throw new RequestError("NotSupported", 400, `Template type ${asked} is not supported.`);
  }
  const properties = schema.properties === "any" ? {} : schema.properties;
  const attributes = schema.attributes === "any" ? [] : Object.keys(schema.attributes);
  return jsonResponse(200, {
    heat_template_version: "2016-10-14",
    description: `Initial template of ${type.split("::").at(-1) ?? ""}`,
    parameters: Object.fromEntries(
      Object.entries(properties).map(([name, property]) => [
        name,
        { type: TEMPLATE_TYPES[property.type] ?? "json", description: property.description },
      ]),
    ),
    resources: {
      resource: {
        type,
        properties: Object.fromEntries(
          Object.keys(properties).map((name) => [name, { get_param: name }]),
        ),
      },
    },
    outputs: Object.fromEntries(
      attributes.map((name) => [name, { value: { get_attr: ["resource", name] } }]),
    ),
  });
};

const RESOURCE_TYPES = "/v1/{tenant}/resource_types";
const TEMPLATE_VERSIONS = "/v1/{tenant}/template_versions";

export const catalogRoutes: readonly Route[] = [
  { method: "GET", pattern: "/", handle: versions },
  { method: "GET", pattern: "/v1/{tenant}/build_info", handle: buildInfo },
  { method: "GET", pattern: "/v1/{tenant}/services", handle: services },
  { method: "GET", pattern: TEMPLATE_VERSIONS, handle: templateVersions },
  {
    method: "GET",
    pattern: `${TEMPLATE_VERSIONS}/{template_version}/functions`,
    handle: templateFunctions,
  },
  { method: "GET", pattern: RESOURCE_TYPES, handle: listTypes },
  { method: "GET", pattern: `${RESOURCE_TYPES}/{type_name}`, handle: showType },
  { method: "GET", pattern: `${RESOURCE_TYPES}/{type_name}/template`, handle: typeTemplate },
];

import { RequestError } from "#lib/errors.ts";
import {
  CFN_VERSIONS,
  VERSION_ALIASES,
  VERSION_KEY,
  VERSIONS,
  versionNamed,
} from "#lib/template/format.ts";
import { functionsOf, ownConditionFunctionsOf } from "#lib/template/functions/table.ts";
import { type Context, link, param, type Route } from "./context.ts";
import { type ApiResponse, jsonResponse } from "./http.ts";
import { boolOf } from "./query.ts";

const CURRENT = { id: "v1.0", status: "CURRENT" } as const;

const versions = ({ callersUrl }: Context): ApiResponse =>
  jsonResponse(300, {
    versions: [{ ...CURRENT, links: [link(`${callersUrl}/v1/`)] }],
  });

const version = ({ callersUrl }: Context): ApiResponse =>
  jsonResponse(200, { version: { ...CURRENT, links: [link(`${callersUrl}/v1/`)] } });

/** API and engine are deployed together, so they have one revision. */
const buildInfo = ({ settings: { revision } }: Context): ApiResponse =>
  jsonResponse(200, { api: { revision }, engine: { revision } });

/** No process runs between two messages, so there is no service to list. */
const services = (): ApiResponse => jsonResponse(200, { services: [] });

const templateVersions = (): ApiResponse =>
  jsonResponse(200, {
    template_versions: [
      ...CFN_VERSIONS.map((version) => ({ version, type: "cfn", aliases: [] })),
      ...VERSIONS.map((version) => ({
        version: `${VERSION_KEY}.${version}`,
        type: "hot",
        aliases: Object.entries(VERSION_ALIASES)
          .filter(([, date]) => date === version)
          .map(([alias]) => `${VERSION_KEY}.${alias}`),
      })),
    ],
  });

const templateFunctions = (context: Context): ApiResponse => {
  const withConditions = boolOf(context.request.query, "with_condition_func", false);
  const named = param(context, "template_version");
  const [key = "", date = ""] = named.split(/\.(.*)/);
  const version = versionNamed(key, date);
  if (version === null) {
    throw new RequestError("NotFound", 404, `Template with version ${named} not found`);
  }
  const functions = new Map([
    ...functionsOf(version),
    ...(withConditions ? ownConditionFunctionsOf(version) : []),
  ]);
  return jsonResponse(200, {
    template_functions: [...functions.values()].flatMap(({ name, description }) =>
      description === undefined ? [] : [{ functions: name, description }],
    ),
  });
};

const TEMPLATE_VERSIONS = "/v1/{tenant}/template_versions";

export const catalogRoutes: readonly Route[] = [
  { method: "GET", pattern: "/", handle: versions },
  { method: "GET", pattern: "/v1", handle: version },
  { method: "GET", pattern: "/v1/{tenant}/build_info", handle: buildInfo },
  { method: "GET", pattern: "/v1/{tenant}/services", handle: services },
  { method: "GET", pattern: TEMPLATE_VERSIONS, handle: templateVersions },
  {
    method: "GET",
    pattern: `${TEMPLATE_VERSIONS}/{template_version}/functions`,
    handle: templateFunctions,
  },
];

import { RequestError } from "#lib/errors.ts";
import type { Json } from "#lib/json.ts";
import {
  CFN_VERSIONS,
  VERSION_ALIASES,
  VERSION_KEY,
  VERSIONS,
  versionNamed,
} from "#lib/template/format.ts";
import { functionsOf, ownConditionFunctionsOf } from "#lib/template/functions/table.ts";
import { type Context, link, param } from "./context.ts";
import type { Route } from "./declared-route.ts";
import { documentAt } from "./declared-route.ts";
import { boolOf } from "./query.ts";

const CURRENT = { id: "v1.0", status: "CURRENT" } as const;

const versions = ({ callersUrl }: Context): Json => ({
  versions: [{ ...CURRENT, links: [link(`${callersUrl}/v1/`)] }],
});

const version = ({ callersUrl }: Context): Json => ({
  version: { ...CURRENT, links: [link(`${callersUrl}/v1/`)] },
});

/** API and engine are deployed together, so they have one revision. */
const buildInfo = ({ settings: { revision } }: Context): Json => ({
  api: { revision },
  engine: { revision },
});

/** No process runs between two messages, so there is no service to list. */
const services = (): Json => ({ services: [] });

const templateVersions = (): Json => ({
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

const templateFunctions = (context: Context): Json => {
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
  return {
    template_functions: [...functions.values()].flatMap(({ name, description }) =>
      description === undefined ? [] : [{ functions: name, description }],
    ),
  };
};

const TEMPLATE_VERSIONS = "/v1/{tenant}/template_versions";

export const catalogRoutes: readonly Route[] = [
  documentAt("GET", "/", versions, {
    summary: "The versions of the API",
    answers: { 300: "VersionsAnswer" },
  }),
  documentAt("GET", "/v1", version, {
    summary: "This version",
    answers: { 200: "VersionAnswer" },
  }),
  documentAt("GET", "/v1/{tenant}/build_info", buildInfo, {
    summary: "What runs here",
    answers: { 200: "BuildInfo" },
    isOfNoStack: true,
  }),
  documentAt("GET", "/v1/{tenant}/services", services, {
    summary: "An empty list: no engine runs between two messages",
    answers: { 200: "ServicesAnswer" },
  }),
  documentAt("GET", TEMPLATE_VERSIONS, templateVersions, {
    summary: "The versions of the template language",
    answers: { 200: "TemplateVersionsAnswer" },
    isOfNoStack: true,
  }),
  documentAt("GET", `${TEMPLATE_VERSIONS}/{template_version}/functions`, templateFunctions, {
    summary: "The functions of a version",
    query: ["with_condition_func"],
    answers: { 200: "TemplateFunctionsAnswer" },
    isOfNoStack: true,
  }),
];

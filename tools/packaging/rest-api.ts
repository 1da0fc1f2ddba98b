/** The OpenAPI document of the REST API, generated from the table of routes and the schemas. */
import { stringify } from "yaml";
import { FAULTS, REQUEST_ID_HEADER } from "#lib/api/errors.ts";
import { API_ROUTES } from "#lib/api/route.ts";
import { AGENT_OPERATIONS, HOST_OPERATIONS, IDENTITY_OPERATIONS } from "./rest/host-operations.ts";
import { parameterComponents, parameterRef } from "./rest/parameters.ts";
import { jsonSchemas, type Operation, type Operations, refTo } from "./rest/schemas.ts";

const OPERATIONS: Operations = {
  ...Object.fromEntries(API_ROUTES.map((route) => [`${route.method} ${route.pattern}`, route])),
  ...AGENT_OPERATIONS,
  ...IDENTITY_OPERATIONS,
  ...HOST_OPERATIONS,
};

const OPEN_TO_EVERYBODY = new Set([
  "GET /",
  "GET /v1",
  ...Object.keys(AGENT_OPERATIONS),
  ...Object.keys(IDENTITY_OPERATIONS),
  "GET /_health",
  "HEAD /_health",
  "GET /_ready",
  "HEAD /_ready",
]);

/** Every operation may return these. 413 is also for an unexpected body. */
const EVERYWHERE = [400, 403, 413, 500, 503];

const content = (type: string, schema: object) => ({ content: { [type]: { schema } } });
const header = (description: string, required = false) => ({
  description,
  required,
  schema: { type: "string" },
});
const REQUEST_ID = { [REQUEST_ID_HEADER]: { $ref: "#/components/headers/RequestId" } };

const STREAM = "Its events are `open` and `change`. It ends after five minutes at most.";

/** Every other name is one of ANSWERS. */
const OTHERS: Readonly<Record<string, object>> = {
  nothing: { description: "There is no body.", headers: REQUEST_ID },
  redirect: {
    description: "There is no body.",
    headers: { ...REQUEST_ID, Location: header("Where the stack is.", true) },
  },
  text: {
    description: "The text, or a part of it.",
    headers: { ...REQUEST_ID, "X-Next-From": header("Where the rest begins.") },
    ...content("text/plain; charset=utf-8", { type: "string" }),
  },
  stream: { description: STREAM, ...content("text/event-stream", { type: "string" }) },
};

const success = (status: string, name: string): object => {
  const other = OTHERS[name];
  if (other !== undefined) return other;
  const location = status === "201" ? { Location: header("Where the stack is.") } : {};
  const answer = {
    description: "It was done.",
    headers: { ...REQUEST_ID, ...location },
    ...content("application/json", refTo(name)),
  };
  if (name !== "SignalAnswer") return answer;
  return { ...answer, content: { ...answer.content, "text/plain": { schema: { const: "" } } } };
};

const componentOf = (status: number): string => `Answer${status}`;

const hasId = (key: string): boolean => /\{(?!tenant\})/.test(key);

const refusedStatuses = (key: string, operation: Operation): readonly number[] => {
  const { answers, refusals = [], isNeverAbsent = false } = operation;
  const isOpen = OPEN_TO_EVERYBODY.has(key) && !(key in IDENTITY_OPERATIONS);
  const statuses = [
    ...EVERYWHERE,
    ...refusals,
    ...(hasId(key) && !isNeverAbsent ? [404] : []),
    ...(isOpen ? [] : [401]),
    ...(key.includes("{tenant}") ? [429] : []),
  ];
  return [...new Set(statuses)].filter((status) => !(status in answers)).sort();
};

/** HEAD has no body, and Keystone's errors have their own format. */
const refusal = (key: string, status: number): object => {
  if (key.startsWith("HEAD ")) return { description: FAULTS[status]?.[1], headers: REQUEST_ID };
  if (!(key in IDENTITY_OPERATIONS))
    return { $ref: `#/components/responses/${componentOf(status)}` };
  return {
    description: FAULTS[status]?.[1],
    headers: REQUEST_ID,
    ...content("application/json", { anyOf: [refTo("IdentityFault"), refTo("Fault")] }),
  };
};

const operationId = (key: string): string =>
  key
    .replace("/v1/{tenant}/_", "project ")
    .replace("/v1/{tenant}", "")
    .replaceAll(/[^A-Za-z0-9]+/g, " ")
    .trim()
    .toLowerCase()
    .replaceAll(" ", "_");

const requestBody = ({ body, bodyIsOptional }: Operation): object =>
  body === undefined
    ? {}
    : {
        requestBody: {
          required: bodyIsOptional !== true,
          ...content("application/json", refTo(body)),
        },
      };

const operation = (key: string, one: Operation): object => ({
  operationId: operationId(key),
  summary: one.summary,
  ...(OPEN_TO_EVERYBODY.has(key) ? { security: [] } : {}),
  ...(one.query === undefined
    ? {}
    : { parameters: one.query.map((name) => parameterRef("query", name)) }),
  ...requestBody(one),
  responses: Object.fromEntries([
    ...Object.entries(one.answers).map(([status, name]) => [status, success(status, name)]),
    ...refusedStatuses(key, one).map((status) => [String(status), refusal(key, status)]),
  ]),
});

const pathsOf = (operations: Operations): object => {
  const paths = new Map<string, Record<string, object>>();
  for (const [key, one] of Object.entries(operations)) {
    const [method = "", path = ""] = key.split(" ");
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    const parameters = names.map((name) => parameterRef("path", name));
    const item =
      paths.get(path) ?? (parameters.length === 0 ? {} : { parameters: [...parameters] });
    paths.set(path, Object.assign(item, { [method.toLowerCase()]: operation(key, one) }));
  }
  return Object.fromEntries(paths);
};

const RETRY = { "Retry-After": header("Seconds.", true) };

const refusals = () =>
  Object.fromEntries(
    Object.entries(FAULTS).map(([status, [, description]]) => [
      componentOf(Number(status)),
      {
        description,
        headers: { ...REQUEST_ID, ...(status === "429" || status === "503" ? RETRY : {}) },
        ...content("application/json", refTo("Fault")),
      },
    ]),
  );

const DESCRIPTION = `Heat's REST API as Hearth answers it, with Hearth's own routes, the routes of agents, and the façade of Keystone that the embedded host has.
HEAD and other methods that a path does not have are 405 with the header Allow; OPTIONS is 204 with it. A path that is not here is 404. What is no HTTP is answered with 400, 408 or 431 and no body.
A template that fits its schema may still be wrong, and then the answer is 400. Made of tools/packaging/rest-api.ts by npm run docs -- api.`;

export const restDocument = () => ({
  openapi: "3.1.0",
  info: { title: "Hearth", version: "1", description: DESCRIPTION },
  servers: [{ url: "/" }],
  security: [{ token: [] }, { basic: [] }],
  paths: pathsOf(OPERATIONS),
  components: {
    securitySchemes: {
      token: { type: "apiKey", in: "header", name: "X-Auth-Token" },
      basic: { type: "http", scheme: "basic", description: "The project, and its token." },
    },
    headers: { RequestId: header("Names the answer, in the log too.", true) },
    parameters: parameterComponents(),
    responses: refusals(),
    schemas: jsonSchemas(),
  },
});

export const restApi = (): string =>
  stringify(restDocument(), { lineWidth: 100, aliasDuplicateObjects: false });

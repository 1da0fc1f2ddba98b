/**
 * Every route of the API, called by a stranger: with another tenant's ids under either project, and
 * mixed with own ids. `missingCases` finds routes without a case here.
 */
import { API_ROUTES } from "#lib/api/route.ts";
import { present } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";

/**
 * What a request is about. A stack, config, deployment or server does not exist for a stranger. The
 * caller's own project answers, but with nothing of another tenant. Public routes answer everyone.
 */
type Subject = "a stack" | "the project" | "everyone";

interface RouteCase {
  readonly about: Subject;
  readonly body?: JsonObject;
}

const EMPTY_TEMPLATE = { heat_template_version: "2016-10-14" };
const A_STACK: RouteCase = { about: "a stack" };
const THE_PROJECT: RouteCase = { about: "the project" };
const WITH_TEMPLATE = { about: "a stack", body: { template: EMPTY_TEMPLATE } } as const;

const NAMED = "/v1/{tenant}/stacks/{stack_name}";
const STACK = `${NAMED}/{stack_id}`;
const RESOURCE = `${STACK}/resources/{resource_name}`;

const CONFIGS = "/v1/{tenant}/software_configs";
const DEPLOYMENTS = "/v1/{tenant}/software_deployments";

const CASES: Readonly<Record<string, RouteCase>> = {
  "GET /": { about: "everyone" },
  "GET /v1": { about: "everyone" },
  "GET /v1/{tenant}/build_info": THE_PROJECT,
  "GET /v1/{tenant}/services": THE_PROJECT,
  "GET /v1/{tenant}/_health": THE_PROJECT,
  "GET /v1/{tenant}/_objects": THE_PROJECT,
  "POST /v1/{tenant}/_purge": { about: "the project", body: { older_than_seconds: 0 } },
  "GET /v1/{tenant}/template_versions": THE_PROJECT,
  "GET /v1/{tenant}/template_versions/{template_version}/functions": THE_PROJECT,
  "GET /v1/{tenant}/resource_types": THE_PROJECT,
  "GET /v1/{tenant}/resource_types/{type_name}": THE_PROJECT,
  "GET /v1/{tenant}/resource_types/{type_name}/template": THE_PROJECT,
  "POST /v1/{tenant}/validate": { about: "the project", body: { template: EMPTY_TEMPLATE } },
  "GET /v1/{tenant}/stacks": THE_PROJECT,
  "GET /v1/{tenant}/stacks/detail": THE_PROJECT,
  // A request without a name is refused. A stack of the stranger's own would prove nothing.
  "POST /v1/{tenant}/stacks": { about: "the project", body: { template: EMPTY_TEMPLATE } },
  "POST /v1/{tenant}/stacks/preview": { about: "the project", body: { template: EMPTY_TEMPLATE } },
  [`PUT ${STACK}/preview`]: WITH_TEMPLATE,
  [`PATCH ${STACK}/preview`]: WITH_TEMPLATE,
  [`POST ${STACK}/snapshots`]: { about: "a stack", body: { name: "stranger's" } },
  [`GET ${STACK}/snapshots`]: A_STACK,
  [`GET ${STACK}/snapshots/{snapshot_id}`]: A_STACK,
  [`DELETE ${STACK}/snapshots/{snapshot_id}`]: A_STACK,
  [`POST ${STACK}/snapshots/{snapshot_id}/restore`]: A_STACK,
  [`DELETE ${STACK}/abandon`]: A_STACK,
  [`GET ${STACK}/export`]: A_STACK,
  [`PATCH ${RESOURCE}`]: { about: "a stack", body: { mark_unhealthy: true } },
  [`POST ${RESOURCE}/resolve`]: { about: "a stack", body: { nothing_was_made: true } },
  [`GET ${NAMED}`]: A_STACK,
  [`POST ${NAMED}`]: A_STACK,
  [`PUT ${NAMED}`]: WITH_TEMPLATE,
  [`PATCH ${NAMED}`]: WITH_TEMPLATE,
  [`DELETE ${NAMED}`]: A_STACK,
  ...Object.fromEntries(
    ["resources", "events", "template", "actions", "environment", "files"].map((name) => [
      `GET ${NAMED}/${name}`,
      A_STACK,
    ]),
  ),
  ...Object.fromEntries(
    ["resources", "events", "template", "actions"].map((name) => [
      `POST ${NAMED}/${name}`,
      A_STACK,
    ]),
  ),
  [`GET ${STACK}`]: A_STACK,
  [`PUT ${STACK}`]: WITH_TEMPLATE,
  [`PATCH ${STACK}`]: WITH_TEMPLATE,
  [`DELETE ${STACK}`]: A_STACK,
  [`GET ${STACK}/template`]: A_STACK,
  [`GET ${STACK}/environment`]: A_STACK,
  [`GET ${STACK}/files`]: A_STACK,
  [`POST ${STACK}/actions`]: { about: "a stack", body: { suspend: null } },
  [`GET ${STACK}/diagnosis`]: A_STACK,
  [`GET ${STACK}/outputs`]: A_STACK,
  [`GET ${STACK}/outputs/{key}`]: A_STACK,
  [`GET ${STACK}/resources`]: A_STACK,
  [`GET ${RESOURCE}`]: A_STACK,
  [`GET ${RESOURCE}/metadata`]: A_STACK,
  [`POST ${RESOURCE}/signal`]: { about: "a stack", body: { status: "SUCCESS" } },
  [`GET ${STACK}/events`]: A_STACK,
  [`GET ${RESOURCE}/events`]: A_STACK,
  [`GET ${RESOURCE}/events/{event_id}`]: A_STACK,
  [`GET ${CONFIGS}`]: THE_PROJECT,
  // These inputs make the request fail for the owner too.
  [`POST ${CONFIGS}`]: { about: "the project", body: { inputs: {} } },
  [`GET ${CONFIGS}/{config_id}`]: A_STACK,
  [`DELETE ${CONFIGS}/{config_id}`]: A_STACK,
  [`GET ${DEPLOYMENTS}`]: THE_PROJECT,
  [`POST ${DEPLOYMENTS}`]: { about: "the project", body: {} },
  [`GET ${DEPLOYMENTS}/metadata/{server_id}`]: THE_PROJECT,
  [`GET ${DEPLOYMENTS}/{deployment_id}`]: A_STACK,
  [`PUT ${DEPLOYMENTS}/{deployment_id}`]: { about: "a stack", body: { status: "FAILED" } },
  [`DELETE ${DEPLOYMENTS}/{deployment_id}`]: A_STACK,
  [`GET ${DEPLOYMENTS}/{deployment_id}/diagnosis`]: A_STACK,
  "GET /v1/{tenant}/servers/{server_id}": { about: "a stack" },
  "PUT /v1/{tenant}/servers/{server_id}/report": {
    about: "a stack",
    body: { report: { status: "ERROR", fault: "stranger's" } },
  },
  [`POST ${DEPLOYMENTS}/{deployment_id}/retry`]: A_STACK,
  [`POST ${DEPLOYMENTS}/{deployment_id}/run_again`]: A_STACK,
  [`POST ${DEPLOYMENTS}/{deployment_id}/abandon`]: A_STACK,
  [`POST ${DEPLOYMENTS}/{deployment_id}/stop`]: A_STACK,
  [`GET ${DEPLOYMENTS}/{deployment_id}/output/{printed}`]: A_STACK,
};

const keysOf = (): readonly string[] =>
  API_ROUTES.map(({ method, pattern }) => `${method} ${pattern}`);

export const missingCases = (): readonly string[] => {
  const keys = new Set(keysOf());
  return [
    ...[...keys].filter((key) => !(key in CASES)),
    ...Object.keys(CASES).filter((key) => !keys.has(key)),
  ];
};

export interface TenantIds {
  readonly tenant: string;
  readonly stack_name: string;
  readonly stack_id: string;
  readonly resource_name: string;
  readonly event_id: string;
  readonly snapshot_id: string;
  readonly key: string;
  readonly config_id: string;
  readonly deployment_id: string;
  readonly server_id: string;
}

export interface RouteRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: JsonObject;
  /** "open": everyone gets an answer. "own": the caller gets its own answer, whatever it is. */
  readonly expected: "absent" | "forbidden" | "own" | "open";
}

/** These words are the same for every tenant, so they are not ids. */
const WORDS = {
  type_name: "OS::Heat::Value",
  template_version: "heat_template_version.rocky",
  printed: "deploy_stdout",
};

const fill = (pattern: string, params: Readonly<Record<string, string>>): string =>
  pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(present(params[name], `an id for {${name}}`)),
  );

const idNames = (pattern: string): readonly string[] =>
  [...pattern.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) =>
    name === undefined || name === "tenant" || name in WORDS ? [] : [name],
  );

/** Each id is either tenant's, but not all are the caller's own. */
const mixtures = (
  pattern: string,
  own: TenantIds,
  other: TenantIds,
): readonly Readonly<Record<string, string>>[] => {
  const names = idNames(pattern);
  const [owns, others]: Readonly<Record<string, string>>[] = [{ ...own }, { ...other }];
  return Array.from({ length: 2 ** names.length - 1 }, (_, mask) =>
    Object.fromEntries(
      names.map((name, at) => [name, ((mask >> at) & 1 ? owns : others)?.[name] ?? `{${name}}`]),
    ),
  );
};

const aliases = (pattern: string, other: TenantIds): readonly Record<string, string>[] => {
  if (!pattern.startsWith(NAMED) || pattern.startsWith(STACK)) return [];
  const { tenant, stack_name, stack_id } = other;
  const arn = `arn:openstack:heat::${tenant}:stacks/${stack_name}/${stack_id}`;
  return [{ stack_name: stack_id }, { stack_name: arn }];
};

const requestsOf = (
  method: string,
  pattern: string,
  own: TenantIds,
  other: TenantIds,
): readonly RouteRequest[] => {
  const { about, body } = present(CASES[`${method} ${pattern}`], `a case for ${method} ${pattern}`);
  const request = (
    params: Readonly<Record<string, string>>,
    expected: RouteRequest["expected"],
  ) => ({
    method,
    path: fill(pattern, { ...params, ...WORDS }),
    expected,
    ...(body === undefined ? {} : { body }),
  });
  if (about === "everyone") return [request({}, "open")];
  const stranger = { ...other, ...own };
  const foreign = [
    request({ ...other }, "forbidden"),
    request({ ...stranger, tenant: other.tenant }, "forbidden"),
  ];
  if (about === "the project") return [request(stranger, "own"), ...foreign];
  const meant = [...mixtures(pattern, own, other), ...aliases(pattern, other)];
  return [
    ...meant.map((params) => request({ ...params, tenant: own.tenant }, "absent")),
    ...foreign,
  ];
};

export const strangersRequests = (own: TenantIds, other: TenantIds): readonly RouteRequest[] =>
  API_ROUTES.flatMap(({ method, pattern }) => requestsOf(method, pattern, own, other));

export const strangersQueries = (own: TenantIds, other: TenantIds): readonly RouteRequest[] => {
  const stacks = `/v1/${own.tenant}/stacks`;
  const stack = `${stacks}/${own.stack_name}/${own.stack_id}`;
  return [
    `${stacks}?global_tenant=true&show_nested=true&show_hidden=true`,
    `${stacks}?tenant=${other.tenant}`,
    `${stacks}?id=${other.stack_id}`,
    `${stacks}?name=${other.stack_name}`,
    `${stacks}?marker=${other.stack_id}&with_count=true`,
    `${stacks}/detail?tenant=${other.tenant}`,
    `${stack}/events?marker=${other.event_id}`,
    `${stack}/events?resource_name=${other.resource_name}`,
    `/v1/${own.tenant}/software_configs?marker=${other.config_id}`,
    `/v1/${own.tenant}/software_deployments?server_id=${other.server_id}`,
    `/v1/${own.tenant}/software_deployments/metadata/${other.server_id}`,
    `${stack}/resources?with_detail=true&nested_depth=5`,
  ].map((path) => ({ method: "GET", path, expected: "own" as const }));
};

/**
 * The owner's own requests must succeed. This shows that the tenant makes the difference, and not a
 * wrong path.
 */
export const ownersReads = (own: TenantIds): readonly RouteRequest[] =>
  API_ROUTES.filter(({ method }) => method === "GET").map(({ method, pattern }) => ({
    method,
    path: fill(pattern, { ...own, ...WORDS }),
    expected: "own" as const,
  }));

export interface RouteAnswer {
  readonly status: number;
  readonly text: string;
}

const STATUSES = { absent: 404, forbidden: 403 } as const;

/**
 * `secrets` are texts that only the owner may read.
 * @returns null when nothing is wrong.
 */
export const faultOf = (
  { method, path, expected }: RouteRequest,
  { status, text }: RouteAnswer,
  secrets: readonly string[],
): string | null => {
  const name = `${method} ${path} as a stranger (${expected})`;
  if (status >= 500) return `${name} answers ${status}`;
  if ((expected === "absent" || expected === "forbidden") && status !== STATUSES[expected]) {
    return `${name} answers ${status}`;
  }
  const isFault = /"error":\s*\{"type":/.test(text);
  if (status >= 400 && !isFault) return `${name} is no error document of Heat's: ${text}`;
  // A refusal may contain the name from its own request.
  const shown = secrets.filter((secret) => !decodeURIComponent(path).includes(secret));
  const leaked = shown.filter((secret) => text.includes(secret));
  return leaked.length > 0 ? `${name} contains ${leaked.join(", ")}` : null;
};

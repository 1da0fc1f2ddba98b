/**
 * Every route of the API, called by a stranger: with another tenant's ids under either project, and
 * mixed with own ids. A stack, config, deployment or server does not exist for a stranger. The
 * caller's own project answers, but with nothing of another tenant. Public routes answer everyone.
 */
import { API_ROUTES } from "#lib/api/route.ts";
import { present } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";

type Route = (typeof API_ROUTES)[number];

const TEMPLATE = { template: { heat_template_version: "2016-10-14" } };
const NAMED = "/v1/{tenant}/stacks/{stack_name}";
const STACK = `${NAMED}/{stack_id}`;
const RESOURCE = `${STACK}/resources/{resource_name}`;

/** The bodies that a route needs in order to look for what its path names. */
const BODIES: Readonly<Record<string, JsonObject>> = {
  "POST /v1/{tenant}/_purge": { older_than_seconds: 0 },
  "POST /v1/{tenant}/validate": TEMPLATE,
  // A request without a name is refused. A stack of the stranger's own would prove nothing.
  "POST /v1/{tenant}/stacks": TEMPLATE,
  "POST /v1/{tenant}/stacks/preview": TEMPLATE,
  [`PUT ${STACK}/preview`]: TEMPLATE,
  [`PATCH ${STACK}/preview`]: TEMPLATE,
  [`POST ${STACK}/snapshots`]: { name: "stranger's" },
  [`PATCH ${RESOURCE}`]: { mark_unhealthy: true },
  [`POST ${RESOURCE}/resolve`]: { nothing_was_made: true },
  [`POST ${RESOURCE}/signal`]: { status: "SUCCESS" },
  [`PUT ${NAMED}`]: TEMPLATE,
  [`PATCH ${NAMED}`]: TEMPLATE,
  [`PUT ${STACK}`]: TEMPLATE,
  [`PATCH ${STACK}`]: TEMPLATE,
  [`POST ${STACK}/actions`]: { suspend: null },
  // These inputs make the request fail for the owner too.
  "POST /v1/{tenant}/software_configs": { inputs: {} },
  "POST /v1/{tenant}/software_deployments": {},
  "PUT /v1/{tenant}/software_deployments/{deployment_id}": { status: "FAILED" },
  "PUT /v1/{tenant}/servers/{server_id}/report": {
    report: { status: "ERROR", fault: "stranger's" },
  },
};

export const bodiesWithoutRoute = (): readonly string[] => {
  const keys = new Set(API_ROUTES.map(({ method, pattern }) => `${method} ${pattern}`));
  return Object.keys(BODIES).filter((key) => !keys.has(key));
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
  { method, pattern, isNeverAbsent = false }: Route,
  own: TenantIds,
  other: TenantIds,
): readonly RouteRequest[] => {
  const body = BODIES[`${method} ${pattern}`];
  const request = (
    params: Readonly<Record<string, string>>,
    expected: RouteRequest["expected"],
  ) => ({
    method,
    path: fill(pattern, { ...params, ...WORDS }),
    expected,
    ...(body === undefined ? {} : { body }),
  });
  if (!pattern.includes("{tenant}")) return [request({}, "open")];
  const stranger = { ...other, ...own };
  const foreign = [
    request({ ...other }, "forbidden"),
    request({ ...stranger, tenant: other.tenant }, "forbidden"),
  ];
  const isOfProject = isNeverAbsent || idNames(pattern).length === 0;
  if (isOfProject) return [request(stranger, "own"), ...foreign];
  const meant = [...mixtures(pattern, own, other), ...aliases(pattern, other)];
  return [
    ...meant.map((params) => request({ ...params, tenant: own.tenant }, "absent")),
    ...foreign,
  ];
};

export const strangersRequests = (own: TenantIds, other: TenantIds): readonly RouteRequest[] =>
  API_ROUTES.flatMap((route) => requestsOf(route, own, other));

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

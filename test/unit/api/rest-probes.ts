/**
 * Requests on the edges of the API, with Heat 26's answers as its source gives them. The stack
 * `app` has the resources `value` and `thing`. `~` stands for its canonical path.
 */
import type { Json } from "#lib/json.ts";

export interface Probe {
  readonly asks: string;
  readonly body?: Json | string;
  readonly status: number;
  readonly says?: string;
}

const TEMPLATE: Json = { heat_template_version: "2018-08-31" };

const refused = (asks: string, says: string, body?: Json | string): Probe => ({
  asks,
  status: 400,
  says,
  ...(body === undefined ? {} : { body }),
});
const missing = (asks: string, says: string, body?: Json): Probe => ({
  asks,
  status: 404,
  says,
  ...(body === undefined ? {} : { body }),
});
const fine = (asks: string, body?: Json): Probe => ({
  asks,
  status: 200,
  ...(body === undefined ? {} : { body }),
});

const FLAG = (name: string, value: string): string =>
  `Unrecognized value "${value}" for "${name}", acceptable values are: true, false.`;
const INTEGER = (name: string): string => `Only integer is acceptable by '${name}'.`;
const POSITIVE = (name: string, value: string): string =>
  `Value '${value}' is invalid for '${name}' which only accepts non-negative integer.`;
const DIRECTION = 'Unknown sort direction "up", must be one of: asc, desc';
const NO_ROUTE = "The resource could not be found.";
const NO_STACK = "The Stack (nope) could not be found.";
const NO_RESOURCE = "The Resource (nope) could not be found in Stack app.";
const NO_SNAPSHOT = "The Snapshot (nope) for Stack (app) could not be found.";
const NO_TYPE = "The Resource Type (nope) could not be found.";
const NO_CONFIG = "Software config with id nope not found";
const NO_DEPLOYMENT = "Deployment with id nope not found";

const FLAGS = ["show_deleted", "show_nested", "show_hidden", "global_tenant", "with_count"];

const listings: readonly Probe[] = [
  ...FLAGS.map((flag) => refused(`GET /stacks?${flag}=x`, FLAG(flag, "x"))),
  refused("GET /stacks?with_count=1", FLAG("with_count", "1")),
  fine("GET /stacks?show_deleted=TRUE"),
  refused("GET /stacks?limit=x", INTEGER("limit")),
  refused("GET /stacks?limit=1.5", INTEGER("limit")),
  refused("GET /stacks?limit=-1", POSITIVE("limit", "-1")),
  fine("GET /stacks?limit="),
  fine("GET /stacks?limit=0"),
  refused("GET /stacks?sort_dir=up", DIRECTION),
  fine("GET /stacks?sort_keys=nothing"),
  fine("GET /stacks?marker=nope"),
  fine("GET /stacks?nothing=x"),
  refused("GET /stacks/detail?limit=x", INTEGER("limit")),
  refused("GET ~?resolve_outputs=x", FLAG("resolve_outputs", "x")),
  refused("GET ~/resources?nothing=x", "Invalid filter parameters ['nothing']"),
  refused("GET ~/resources?nested_depth=x", INTEGER("nested_depth")),
  refused("GET ~/resources?nested_depth=-1", POSITIVE("nested_depth", "-1")),
  refused("GET ~/resources?with_detail=x", FLAG("with_detail", "x")),
  refused("GET ~/events?sort_dir=up", DIRECTION),
  refused("GET ~/events?limit=x", INTEGER("limit")),
  refused("GET ~/events?limit=-1", POSITIVE("limit", "-1")),
  refused("GET ~/events?nested_depth=x", INTEGER("nested_depth")),
  fine("GET ~/events?sort_keys=nothing"),
  fine("GET ~/events?marker=nope"),
  fine("GET ~/events?nothing=x"),
  refused("GET /software_configs?limit=x", INTEGER("limit")),
  fine("GET /software_configs?marker=nope"),
];

const absentThings: readonly Probe[] = [
  missing("GET /nonsense", NO_ROUTE),
  missing("GET ~/nonsense", NO_ROUTE),
  missing("GET /stacks/app/resources/value", NO_ROUTE),
  missing("GET /stacks/nope", NO_STACK),
  missing("DELETE /stacks/nope", NO_STACK),
  missing("GET /stacks/app/nope", "The Stack (app) could not be found."),
  missing("GET ~/resources/nope", NO_RESOURCE),
  missing("GET ~/resources/nope/metadata", NO_RESOURCE),
  missing("POST ~/resources/nope/signal", NO_RESOURCE, {}),
  missing("PATCH ~/resources/nope", NO_RESOURCE, { mark_unhealthy: true }),
  missing("GET ~/resources/nope/events", "No events found for resource nope"),
  missing("GET ~/resources/value/events/nope", "No event nope found"),
  missing("GET ~/outputs/nope", "Specified output key nope not found."),
  missing("GET ~/snapshots/nope", NO_SNAPSHOT),
  missing("DELETE ~/snapshots/nope", NO_SNAPSHOT),
  missing("POST ~/snapshots/nope/restore", NO_SNAPSHOT),
  missing("GET /resource_types/nope", NO_TYPE),
  missing("GET /resource_types/nope/template", NO_TYPE),
  missing("GET /template_versions/nope/functions", "Template with version nope not found"),
  missing("GET /software_configs/nope", NO_CONFIG),
  missing("DELETE /software_configs/nope", NO_CONFIG),
  missing("GET /software_deployments/nope", NO_DEPLOYMENT),
  missing("PUT /software_deployments/nope", NO_DEPLOYMENT, {}),
  missing("DELETE /software_deployments/nope", NO_DEPLOYMENT),
];

const preview = (more: { readonly [key: string]: Json }, says?: string, status = 400): Probe => ({
  asks: "POST /stacks/preview",
  body: { stack_name: "other", template: TEMPLATE, ...more },
  status: says === undefined ? 200 : status,
  ...(says === undefined ? {} : { says }),
});

const badName = (name: string): Probe =>
  preview({ stack_name: name }, `Invalid stack name ${name} must contain only alphanumeric`);

const ENVIRONMENT = "Environment not in valid format: ";

const stackBodies: readonly Probe[] = [
  refused("POST /stacks", "No stack name specified", {}),
  refused("POST /stacks", "No template specified", { stack_name: "other" }),
  { asks: "POST /stacks", body: { stack_name: "app", template: TEMPLATE }, status: 409 },
  preview({ stack_name: "app" }, "The Stack (app) already exists.", 409),
  ...["1abc", "a b", "a/b", "é", ""].map(badName),
  badName("a".repeat(256)),
  preview({ stack_name: "a_b.c-d" }),
  preview({ timeout_mins: "x" }, INTEGER("timeout_mins")),
  preview({ timeout_mins: 1.5 }, INTEGER("timeout_mins")),
  preview({ timeout_mins: true }, INTEGER("timeout_mins")),
  preview({ timeout_mins: -1 }, POSITIVE("timeout_mins", "-1")),
  preview({ timeout_mins: "10" }),
  preview({ disable_rollback: "x" }, FLAG("disable_rollback", "x")),
  preview({ disable_rollback: 1 }, FLAG("disable_rollback", "1")),
  preview({ disable_rollback: "True" }),
  preview({ converge: true }, "converge flag only supported in stack update"),
  preview({ tags: "a".repeat(81) }, `Invalid tag, "${"a".repeat(81)}" is longer than 80`),
  preview({ parameters: { nope: 1 } }, "The Parameter (nope) was not defined in template."),
  preview({ environment: "x: [" }, `${ENVIRONMENT}while parsing a flow node`),
  preview({ environment: "x" }, `${ENVIRONMENT}The environment is not a valid YAML mapping`),
  preview({ environment: { x: 1 } }, `${ENVIRONMENT}environment has wrong section "x"`),
  preview({ template: "x: [" }, "Template not in valid format: Error parsing template"),
  preview({ template: "x" }, "Template not in valid format: The template is not a JSON object"),
  preview({ template: {} }, "The template version is invalid: Template version was not provided"),
  preview({ template: null }, "No template specified"),
  preview({ nothing: 1 }),
  refused("PUT ~", "No template specified", {}),
  refused("PUT ~/preview", "No template specified", {}),
  refused("PUT ~", "The Parameter (q) was not defined in template.", {
    template: TEMPLATE,
    parameters: { q: 1 },
  }),
  refused("PUT ~/preview?show_nested=x", FLAG("show_nested", "x"), { template: TEMPLATE }),
  refused("POST /validate", "No template specified", {}),
  refused("POST /validate?show_nested=x", FLAG("show_nested", "x"), { template: TEMPLATE }),
  fine("POST /validate?ignore_errors=99001", { template: TEMPLATE }),
];

const MARK_KEYS = "Invalid keys in resource mark unhealthy {'x'}";
const NO_MARK = "Missing mandatory (mark_unhealthy) key from mark unhealthy request";
const NO_SIGNAL = "signal is not supported for resource.";
const NO_CANCEL = "Cancelling update when stack is CREATE_COMPLETE is not supported.";
const SUPPORT = "Data supplied was not valid: Invalid support status and should be one of (";
const TEMPLATE_TYPE = "Template type is not supported: Invalid template type";

const others: readonly Probe[] = [
  { asks: "GET /", status: 300 },
  { asks: "PUT /stacks", body: {}, status: 405 },
  { asks: "OPTIONS /stacks", status: 204 },
  { asks: "POST ~", body: {}, status: 405 },
  refused("POST ~/actions", "No action specified", {}),
  refused("POST ~/actions", "Multiple actions specified", { suspend: null, resume: null }),
  refused("POST ~/actions", "Invalid action x specified", { x: null }),
  refused("POST ~/actions", NO_CANCEL, { cancel_update: null }),
  refused("POST ~/actions", NO_CANCEL, { cancel_without_rollback: null }),
  refused("PATCH ~/resources/value", NO_MARK, {}),
  refused("PATCH ~/resources/value", MARK_KEYS, { mark_unhealthy: true, x: 1 }),
  refused("PATCH ~/resources/value", FLAG("mark_unhealthy", "x"), { mark_unhealthy: "x" }),
  refused("PATCH ~/resources/value", FLAG("mark_unhealthy", "None"), { mark_unhealthy: null }),
  refused("POST ~/resources/value/signal", NO_SIGNAL, {}),
  refused("POST ~/resources/thing/signal", NO_SIGNAL, [1]),
  refused("GET /resource_types?support_status=x", SUPPORT),
  fine("GET /resource_types?name=["),
  refused("GET /resource_types?with_description=x", FLAG("with_description", "x")),
  refused("GET /resource_types/OS::Heat::None?with_description=x", FLAG("with_description", "x")),
  refused("GET /resource_types/OS::Heat::None/template?template_type=x", TEMPLATE_TYPE),
  fine("GET /resource_types/OS::Heat::None/template?template_type=CFN"),
  refused(
    "GET /template_versions/heat_template_version.2018-08-31/functions?with_condition_func=x",
    FLAG("with_condition_func", "x"),
  ),
  refused(
    "POST /software_configs",
    "Property error: Software Config I/O Schema must be in a list",
    {
      name: "x",
      inputs: "x",
    },
  ),
];

export const PROBES: readonly Probe[] = [...listings, ...absentThings, ...stackBodies, ...others];

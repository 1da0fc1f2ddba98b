import * as z from "zod/mini";
import { OPERATION_ACTIONS, STATUSES } from "#lib/model/action.ts";
import { Links, Text, Time, TimeOrNull, Values } from "./shapes.ts";
import { ResourceStatus, StackStatus } from "./stacks.ts";

const resource = {
  links: Links,
  logical_resource_id: z.string(),
  resource_name: z.string(),
  physical_resource_id: z.string(),
  resource_status: ResourceStatus,
  resource_status_reason: z.string(),
  resource_type: z.string(),
  creation_time: Time,
  updated_time: Time,
  required_by: z.array(z.string()),
  /** Absent in a root stack. */
  parent_resource: z.optional(z.string()),
  /** Only in the answer about one resource, and in lists with details. */
  description: z.optional(z.unknown()),
  attributes: z.optional(Values),
};

const Row = z.object({
  id: z.string(),
  status: ResourceStatus,
  physical_resource_id: z.string(),
  stands: z.boolean(),
  replaces: Text,
  replaced_by: Text,
});

export const Resource = z.object(resource);
/** `basis` is that of its stack. Heat lacks it. */
export const ResourceAnswer = z.object({ resource: z.extend(Resource, { basis: z.string() }) });
export const ResourcesAnswer = z.object({
  /** `rows` only with `with_rows`, which Heat lacks. */
  resources: z.array(z.object({ ...resource, rows: z.optional(z.array(Row)) })),
  links: z.optional(Links),
});
export const MetadataAnswer = z.object({ metadata: z.unknown() });

const Change = z.object({
  properties: z.array(
    z.object({
      name: z.string(),
      before: z.unknown(),
      after: z.unknown(),
      unknown: z.boolean(),
    }),
  ),
  reason: Text,
  operation: z.nullable(
    z.object({
      action: z.enum(OPERATION_ACTIONS),
      fate: z.enum(["interrupted", "awaited", "ended for the delete"]),
    }),
  ),
  visit: z.enum(["changed", "reached", "none"]),
  keeps_object: z.boolean(),
});

/** What an update would do to one resource. Heat lacks `change`. */
export const ChangedResource = z.object({
  ...resource,
  resource_identity: z.object({
    tenant: z.string(),
    stack_name: z.string(),
    stack_id: z.string(),
    path: z.string(),
  }),
  change: Change,
});
const changed = z.array(ChangedResource);

export const ChangesAnswer = z.object({
  resource_changes: z.object({
    unchanged: changed,
    updated: changed,
    replaced: changed,
    added: changed,
    deleted: changed,
  }),
  /** Includes outputs that change although no resource changes. Heat lacks this list. */
  output_changes: z.array(
    z.object({ output_key: z.string(), change: z.enum(["added", "updated", "deleted"]) }),
  ),
  /** A value that there is not, or that is hidden, is left out. Heat lacks this list. */
  parameter_changes: z.array(
    z.object({
      parameter_name: z.string(),
      change: z.enum(["added", "updated", "deleted"]),
      before: z.optional(z.unknown()),
      after: z.optional(z.unknown()),
      /** The value was given before and is not any more, so the default holds again. */
      falls_back: z.boolean(),
    }),
  ),
  basis: z.string(),
  warnings: z.array(z.string()),
});

const Stage = z.nullable(z.int().check(z.minimum(1), z.maximum(6)));

export const Cause = z.object({
  kind: z.enum([
    "unknown_outcome",
    "hook",
    "failed",
    "deployment",
    "nested",
    "provider",
    "requirements",
  ]),
  stage: Stage,
  certain: z.boolean(),
  summary: z.string(),
  advice: z.array(z.string()),
  next_poll: TimeOrNull,
});
export const StackDiagnosisAnswer = z.object({
  diagnosis: z.object({
    resources: z.array(z.object({ ...resource, cause: Cause })),
    omitted: z.int(),
  }),
});

const Signalled = z.enum(STATUSES.map((status) => `SIGNAL_${status}`));

const event = {
  id: z.string(),
  links: Links,
  event_time: Time,
  logical_resource_id: z.string(),
  resource_name: z.string(),
  physical_resource_id: Text,
  resource_status: z.union([ResourceStatus, StackStatus, Signalled]),
  resource_status_reason: z.string(),
  actor: z.optional(z.string()),
};
export const Event = z.object(event);
export const EventsAnswer = z.object({ events: z.array(Event) });
export const EventAnswer = z.object({
  event: z.object({
    ...event,
    resource_type: z.string(),
    resource_properties: Values,
  }),
});

const Verdict = z.object({
  stage: Stage,
  cause: z.string(),
  certain: z.boolean(),
  summary: z.string(),
  advice: z.array(z.string()),
});

export const Diagnosis = z.object({
  deployment_id: z.string(),
  config_id: z.string(),
  server_id: z.string(),
  server_name: Text,
  stack_id: Text,
  resource_name: Text,
  action: z.string(),
  status: z.string(),
  status_reason: Text,
  state: z.string(),
  history: z.array(z.object({ state: z.string(), time: Time })),
  verdict: Verdict,
  warnings: z.array(z.string()),
  evidence: z.array(
    z.object({
      kind: z.string(),
      about: z.enum(["server", "deployment"]),
      count: z.int(),
      first_seen: Time,
      last_seen: Time,
    }),
  ),
  server: z.nullable(
    z.object({
      status: Text,
      addresses: z.nullable(z.array(z.string())),
      fault: Text,
      reported: TimeOrNull,
      boot: z.array(z.object({ step: z.enum(["begun", "installed", "failed"]), time: Time })),
      first_poll: TimeOrNull,
      last_poll: TimeOrNull,
      agent: Text,
      address: Text,
      tools: z.nullable(z.array(z.string())),
      document_version: Text,
      served_version: Text,
      applied_version: Text,
    }),
  ),
  progress: z.nullable(z.object({ heartbeats: z.int(), reason: Text, heard: TimeOrNull })),
  output_tail: z.nullable(
    z.object({ deploy_stdout: z.string(), deploy_stderr: z.string(), time: TimeOrNull }),
  ),
  waiting_behind: z.nullable(
    z.object({ deployment_id: z.string(), resource_name: z.string(), since: Time }),
  ),
});
export const DiagnosisAnswer = z.object({ diagnosis: Diagnosis });

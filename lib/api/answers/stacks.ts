import * as z from "zod/mini";
import { RESOURCE_ACTIONS, STACK_ACTIONS, STATUSES } from "#lib/model/action.ts";
import { Links, Text, Time, TimeOrNull, Values } from "./shapes.ts";

const statusOf = (actions: readonly string[]) =>
  z.enum(actions.flatMap((action) => STATUSES.map((status) => `${action}_${status}`)));

export const StackStatus = statusOf(STACK_ACTIONS);
export const ResourceStatus = statusOf(RESOURCE_ACTIONS);

const identity = { id: z.string(), links: Links };

const summary = {
  ...identity,
  stack_name: z.string(),
  stack_status: StackStatus,
  stack_status_reason: z.string(),
  creation_time: Time,
  updated_time: TimeOrNull,
  deletion_time: TimeOrNull,
  stack_owner: z.null(),
  parent: Text,
  stack_user_project_id: z.null(),
};

const count = z.int().check(z.minimum(0));
/** In resources that the operation visits. Only with `with_progress`, which Heat lacks. */
const progress = z.optional(z.object({ total: count, done: count, running: count, failed: count }));

export const StackSummary = z.object({
  ...summary,
  progress,
  description: z.string(),
  tags: z.nullable(z.array(z.string())),
});

export const Output = z.object({
  output_key: z.string(),
  description: z.unknown(),
  output_value: z.unknown(),
  output_error: z.optional(z.string()),
});

const details = {
  description: z.unknown(),
  template_description: z.unknown(),
  parameters: z.catchall(z.object({}), z.string()),
  capabilities: z.array(z.string()),
  notification_topics: z.array(z.string()),
  disable_rollback: z.boolean(),
  timeout_mins: z.nullable(z.int()),
  tags: z.array(z.string()),
  /** Who asked for the last operation. Absent if the engine did, or no credential was needed. */
  actor: z.optional(z.string()),
};

export const Stack = z.object({
  ...summary,
  ...details,
  outputs: z.optional(z.array(Output)),
  /** The parameter `basis` of what is done to the stack as this answer shows it. Heat lacks it. */
  basis: z.string(),
  progress,
});

export const StackAnswer = z.object({ stack: Stack });
export const CreatedAnswer = z.object({ stack: z.object(identity) });
export const StackDetailsAnswer = z.object({ stacks: z.array(Stack) });
export const StacksAnswer = z.object({
  stacks: z.array(StackSummary),
  links: z.optional(Links),
  count: z.optional(z.int()),
});

export const OutputAnswer = z.object({ output: Output });
export const OutputsAnswer = z.object({
  outputs: z.array(z.object({ output_key: z.string(), description: z.unknown() })),
});

const ResourceIdentity = z.object({
  tenant: z.string(),
  stack_name: z.string(),
  stack_id: z.string(),
  path: z.string(),
});

const PreviewedResource = z.object({
  updated_time: z.null(),
  creation_time: z.null(),
  resource_name: z.string(),
  physical_resource_id: z.string(),
  resource_action: z.literal("INIT"),
  resource_status: z.literal("COMPLETE"),
  resource_status_reason: z.string(),
  resource_type: z.string(),
  resource_identity: ResourceIdentity,
  stack_identity: ResourceIdentity,
  stack_name: z.string(),
  required_by: z.array(z.string()),
  parent_resource: z.optional(z.string()),
  parents: z.optional(
    z.array(
      z.object({
        resource_name: z.string(),
        resource_type: z.string(),
        required_by: z.array(z.string()),
      }),
    ),
  ),
  description: z.unknown(),
  metadata: z.unknown(),
  attributes: Values,
  properties: Values,
});
type Previewed = z.infer<typeof PreviewedResource> | readonly Previewed[];

export const Previewed: z.ZodMiniType<Previewed> = z.union([
  PreviewedResource,
  z.lazy(() => z.readonly(z.array(Previewed))),
]);

export const PreviewAnswer = z.object({
  stack: z.object({
    ...identity,
    stack_name: z.string(),
    creation_time: Time,
    updated_time: z.null(),
    deletion_time: z.null(),
    stack_owner: z.null(),
    parent: z.null(),
    stack_user_project_id: z.null(),
    ...details,
    outputs: z.array(Output),
    resources: z.array(Previewed),
  }),
});

export const Snapshot = z.object({
  id: z.string(),
  name: Text,
  action: z.literal("CREATE"),
  status: z.enum(STATUSES),
  status_reason: z.string(),
  data: z.nullable(Values),
  creation_time: Time,
});
export const SnapshotAnswer = z.object({ snapshot: Snapshot });
export const SnapshotsAnswer = z.object({ snapshots: z.array(Snapshot) });

export const ValidateAnswer = z.object({
  Description: z.unknown(),
  Parameters: Values,
  ParameterGroups: z.optional(z.unknown()),
  NestedParameters: z.optional(Values),
  Environment: Values,
  /** DELETE scripts that may not run. Heat lacks this key. */
  Warnings: z.optional(z.array(z.string())),
});

/**
 * Heat's REST v1 answers, as far as this client reads them.
 * Objects are loose, so that `--json` prints the whole answer.
 */
import * as z from "zod";
import { json, recordOf } from "#lib/json-schema.ts";

/** An absent text, null and an empty text mean the same. `--json` prints the value as it came. */
const Text = z.string().nullish();
export type Text = z.infer<typeof Text>;

export const OutputShape = z.looseObject({
  output_key: z.string(),
  output_value: z.unknown().optional(),
  output_error: z.string().nullish(),
  description: Text,
});
export type Output = z.infer<typeof OutputShape>;

export const StackShape = z.looseObject({
  id: z.string(),
  stack_name: z.string(),
  stack_status: z.string(),
  stack_status_reason: Text,
  /** Who asked for the last operation. Absent when no credential was needed. */
  actor: Text,
  description: Text,
  creation_time: Text,
  updated_time: Text,
  parent: Text,
  parameters: z.optional(recordOf(z.unknown())),
  outputs: z.array(OutputShape).nullish(),
});
export type WireStack = z.infer<typeof StackShape>;

const Links = z.array(z.looseObject({ href: z.string(), rel: z.string() })).nullish();

const Row = z.looseObject({
  id: z.string(),
  status: z.string(),
  physical_resource_id: Text,
  /** True for the row that the resource shows. */
  stands: z.boolean(),
  replaces: Text,
  replaced_by: Text,
});
export type WireRow = z.infer<typeof Row>;

export const ResourceShape = z.looseObject({
  resource_name: z.string(),
  resource_type: z.string(),
  resource_status: z.string(),
  resource_status_reason: Text,
  physical_resource_id: Text,
  updated_time: Text,
  required_by: z.array(z.string()).nullish(),
  links: Links,
  /** Only present with `with_rows` in the request. */
  rows: z.array(Row).nullish(),
});
export type WireResource = z.infer<typeof ResourceShape>;

export const EventShape = z.looseObject({
  id: z.string(),
  event_time: z.string(),
  resource_name: z.string(),
  resource_status: z.string(),
  resource_status_reason: Text,
  actor: Text,
  physical_resource_id: Text,
  links: Links,
});
export type WireEvent = z.infer<typeof EventShape>;

export const SnapshotShape = z.looseObject({
  id: z.string(),
  name: Text,
  status: z.string(),
  status_reason: Text,
  creation_time: Text,
});
export type Snapshot = z.infer<typeof SnapshotShape>;

export const StackAnswer = z.looseObject({ stack: StackShape });
export const StacksAnswer = z.looseObject({ stacks: z.array(StackShape) });
export const CreatedAnswer = z.looseObject({ stack: z.looseObject({ id: z.string() }) });
export const ResourcesAnswer = z.looseObject({
  resources: z.array(ResourceShape),
  links: z.array(z.looseObject({ rel: z.string(), href: z.string() })).default([]),
});
export const EventsAnswer = z.looseObject({ events: z.array(EventShape) });
export const SnapshotAnswer = z.looseObject({ snapshot: SnapshotShape });
export const SnapshotsAnswer = z.looseObject({ snapshots: z.array(SnapshotShape) });
const ChangeShape = z.looseObject({
  properties: z.array(
    z.looseObject({
      name: z.string(),
      before: json,
      after: json,
      unknown: z.boolean(),
    }),
  ),
  reason: z.nullable(z.string()),
  operation: z.nullable(z.looseObject({ action: z.string(), fate: z.string() })),
  visit: z.string(),
  keeps_object: z.boolean(),
});
export type WireChange = z.infer<typeof ChangeShape>;
const ChangedResource = z.looseObject({
  links: z.optional(Links),
  required_by: z.array(z.string()).nullish(),
  resource_name: z.string(),
  resource_type: z.string(),
  /** Heat's answer does not contain this member. */
  change: z.optional(ChangeShape),
});
export type WireChangedResource = z.infer<typeof ChangedResource>;
/** Resources by kind of change. Kinds that a newer server adds are shown too. */
export const ChangesAnswer = z.looseObject({
  resource_changes: z.record(z.string(), z.array(ChangedResource)),
  output_changes: z.optional(
    z.array(z.looseObject({ output_key: z.string(), change: z.string() })),
  ),
  parameter_changes: z.optional(
    z.array(
      z.looseObject({
        parameter_name: z.string(),
        change: z.string(),
        /** A value that there is not, or that is hidden, is left out. */
        before: z.optional(json),
        after: z.optional(json),
        falls_back: z.boolean(),
      }),
    ),
  ),
  /** Identifies what the preview has read. An update with it fails if that has changed. */
  basis: z.optional(z.string()),
  warnings: z.optional(z.array(z.string())),
});
export type WireChanges = z.infer<typeof ChangesAnswer>;
const PreviewedParent = z.looseObject({
  resource_name: z.string(),
  resource_type: z.string(),
  required_by: z.array(z.string()),
});
const PreviewedResource = z.looseObject({
  stack_name: z.string(),
  parent_resource: z.optional(z.string()),
  /** Only present with `with_parents` in the request, the outermost first. Heat sends none. */
  parents: z.optional(z.array(PreviewedParent)),
  resource_name: z.string(),
  resource_type: z.string(),
  required_by: z.array(z.string()).nullish(),
  properties: recordOf(z.unknown()),
});
export type WirePreviewed = z.infer<typeof PreviewedResource> | WirePreviewed[];
const Previewed: z.ZodType<WirePreviewed> = z.union([
  PreviewedResource,
  z.lazy(() => z.array(Previewed)),
]);
const PreviewShape = z.looseObject({
  outputs: z.array(OutputShape),
  resources: z.array(Previewed),
});
export type WirePreview = z.infer<typeof PreviewShape>;
export const PreviewAnswer = z.looseObject({ stack: PreviewShape });
export const OutputAnswer = z.looseObject({ output: OutputShape });
export const ValidateAnswer = z.looseObject({
  Description: Text,
  Warnings: z.optional(z.array(z.string())),
  Parameters: z._default(
    recordOf(
      z.looseObject({
        Type: Text,
        Description: Text,
        NoEcho: Text,
        Default: z.unknown().optional(),
        Value: z.unknown().optional(),
      }),
    ),
    {},
  ),
});
export const ErrorAnswer = z.looseObject({
  error: z.looseObject({
    message: z.string(),
    type: Text,
    others: z.array(z.looseObject({ message: z.string(), type: Text })).default([]),
  }),
});

export const ServerContactAnswer = z.looseObject({
  server: z.looseObject({
    contact: z.string(),
    last_poll: Text,
    agent: Text,
    refused_polls: z.number(),
    last_refused: Text,
  }),
});
export type WireServerContact = z.infer<typeof ServerContactAnswer>["server"];

export const TypesShape = z.looseObject({ resource_types: z.array(z.string()) });

const PropertyShape = z.looseObject({
  type: z.string(),
  description: z.string().optional(),
  required: z.boolean(),
  update_allowed: z.boolean(),
  default: z.unknown().optional(),
});
export const PropertiesShape = recordOf(PropertyShape);
export const TypeShape = z.looseObject({
  resource_type: z.string(),
  description: z.string().optional(),
  support_status: z.looseObject({
    status: z.string(),
    version: z.string().nullish(),
    message: z.string().nullish(),
  }),
  properties: PropertiesShape,
  attributes: recordOf(z.looseObject({ description: z.string().optional() })),
});
export type TypeAnswer = z.infer<typeof TypeShape>;
export type TypeProperty = z.infer<typeof PropertyShape>;

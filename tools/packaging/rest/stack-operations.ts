import type { Operation, Operations } from "./operation.ts";
import type { QueryParameter } from "./parameters.ts";

const STACKS = "/v1/{tenant}/stacks";
const NAMED = `${STACKS}/{stack_name}`;
const STACK = `${NAMED}/{stack_id}`;
const RESOURCE = `${STACK}/resources/{resource_name}`;
const SNAPSHOT = `${STACK}/snapshots/{snapshot_id}`;

const LIST: readonly QueryParameter[] = [
  "id",
  "name",
  "status",
  "action",
  "owner_id",
  "username",
  "tags",
  "tags_any",
  "not_tags",
  "not_tags_any",
  "tenant",
  "global_tenant",
  "show_deleted",
  "show_hidden",
  "show_nested",
  "sort_keys",
  "sort_dir",
  "limit",
  "marker",
  "with_count",
];
const EVENTS: readonly QueryParameter[] = [
  "resource_name",
  "resource_type",
  "resource_action",
  "resource_status",
  "nested_depth",
  "sort_dir",
  "limit",
  "marker",
];

const redirect: Operation = {
  summary: "Leads to the path with the name and the id. The client sends the request again there.",
  answers: { 302: "redirect" },
  refusals: [404],
};
const redirects = (method: string, names: readonly string[]): Operations =>
  Object.fromEntries(names.map((name) => [`${method} ${NAMED}/${name}`, redirect]));

const NAMED_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

const update = (summary: string): Operation => ({
  summary,
  query: ["full", "basis"],
  body: "StackBody",
  answers: { 202: "Empty" },
  refusals: [404, 409],
});
const previewUpdate = (summary: string): Operation => ({
  summary,
  query: ["full", "basis", "show_nested"],
  body: "StackBody",
  answers: { 200: "ChangesAnswer" },
  refusals: [404, 409],
});

export const STACK_OPERATIONS: Operations = {
  "POST /v1/{tenant}/validate": {
    summary: "What is wrong with a template, or its parameters",
    query: ["show_nested", "all_errors"],
    body: "StackBody",
    answers: { 200: "ValidateAnswer" },
  },
  [`GET ${STACKS}`]: {
    summary: "The stacks of a project",
    query: LIST,
    answers: { 200: "StacksAnswer" },
  },
  [`POST ${STACKS}`]: {
    summary: "Creates a stack, or adopts one",
    body: "StackBody",
    answers: { 201: "CreatedAnswer" },
    refusals: [409],
  },
  [`GET ${STACKS}/detail`]: {
    summary: "The stacks of a project with outputs and parameters",
    query: LIST,
    answers: { 200: "StackDetailsAnswer" },
  },
  [`POST ${STACKS}/preview`]: {
    summary: "What a create would make",
    query: ["all_errors", "with_parents"],
    body: "StackBody",
    answers: { 200: "PreviewAnswer" },
    refusals: [409],
  },
  ...Object.fromEntries(NAMED_METHODS.map((method) => [`${method} ${NAMED}`, redirect])),
  ...redirects("GET", ["resources", "events", "template", "actions", "environment", "files"]),
  ...redirects("POST", ["resources", "events", "template", "actions"]),
  [`GET ${STACK}`]: {
    summary: "A stack",
    query: ["resolve_outputs"],
    answers: { 200: "StackAnswer" },
    refusals: [404],
  },
  [`PUT ${STACK}`]: update("Updates a stack: what the body leaves out is gone"),
  [`PATCH ${STACK}`]: update("Updates a stack: what the body leaves out stays"),
  [`DELETE ${STACK}`]: {
    summary: "Deletes a stack",
    query: ["abandon_unreachable", "force"],
    answers: { 204: "nothing" },
    refusals: [404, 409],
  },
  [`PUT ${STACK}/preview`]: previewUpdate("What such an update would do"),
  [`PATCH ${STACK}/preview`]: previewUpdate("What such a partial update would do"),
  [`GET ${STACK}/template`]: {
    summary: "The template of a stack",
    answers: { 200: "Values" },
    refusals: [404],
  },
  [`GET ${STACK}/environment`]: {
    summary: "The environment of a stack, without hidden values",
    answers: { 200: "Values" },
    refusals: [404],
  },
  [`GET ${STACK}/files`]: {
    summary: "The files of a stack, by name",
    answers: { 200: "Values" },
    refusals: [404],
  },
  [`POST ${STACK}/actions`]: {
    summary: "Suspends, resumes or checks a stack, or cancels its update",
    body: "Action",
    answers: { 200: "Nothing" },
    refusals: [404, 409],
  },
  [`GET ${STACK}/diagnosis`]: {
    summary: "What each unfinished resource waits for. Heat has no such route",
    answers: { 200: "StackDiagnosisAnswer" },
    refusals: [404],
  },
  [`GET ${STACK}/outputs`]: {
    summary: "The outputs of a stack, without values",
    answers: { 200: "OutputsAnswer" },
    refusals: [404],
  },
  [`GET ${STACK}/outputs/{key}`]: {
    summary: "An output and its value",
    answers: { 200: "OutputAnswer" },
    refusals: [404],
  },
  [`GET ${STACK}/resources`]: {
    summary: "The resources of a stack",
    query: [
      "type",
      "status",
      "name",
      "action",
      "id",
      "physical_resource_id",
      "nested_depth",
      "with_detail",
      "with_rows",
      "limit",
      "resource_marker",
    ],
    answers: { 200: "ResourcesAnswer" },
    refusals: [404],
  },
  [`GET ${RESOURCE}`]: {
    summary: "A resource",
    query: ["with_attr"],
    answers: { 200: "ResourceAnswer" },
    refusals: [404],
  },
  [`GET ${RESOURCE}/metadata`]: {
    summary: "The metadata of a resource",
    answers: { 200: "MetadataAnswer" },
    refusals: [404],
  },
  [`PATCH ${RESOURCE}`]: {
    summary: "Marks a resource as unhealthy, or as healthy again",
    body: "Mark",
    answers: { 200: "Nothing" },
    refusals: [404, 409],
  },
  [`POST ${RESOURCE}/resolve`]: {
    summary: "Says what became of a creation whose outcome is unknown. Heat has no such route",
    body: "Resolution",
    answers: { 200: "Nothing", 202: "Nothing" },
    refusals: [404, 409],
  },
  [`POST ${RESOURCE}/signal`]: {
    summary: "Sends a resource a signal, or clears its hook",
    body: "Signal",
    bodyIsOptional: true,
    answers: { 200: "Nothing" },
    refusals: [404, 409],
  },
  [`GET ${STACK}/events`]: {
    summary: "The events of a stack",
    query: EVENTS,
    answers: { 200: "EventsAnswer" },
    refusals: [404],
  },
  [`GET ${RESOURCE}/events`]: {
    summary: "The events of a resource",
    query: EVENTS.slice(1),
    answers: { 200: "EventsAnswer" },
    refusals: [404],
  },
  [`GET ${RESOURCE}/events/{event_id}`]: {
    summary: "An event",
    answers: { 200: "EventAnswer" },
    refusals: [404],
  },
  [`POST ${STACK}/snapshots`]: {
    summary: "Begins a snapshot",
    body: "SnapshotBody",
    bodyIsOptional: true,
    answers: { 200: "Snapshot" },
    refusals: [404, 409],
  },
  [`GET ${STACK}/snapshots`]: {
    summary: "The snapshots of a stack",
    answers: { 200: "SnapshotsAnswer" },
    refusals: [404],
  },
  [`GET ${SNAPSHOT}`]: {
    summary: "A snapshot",
    answers: { 200: "SnapshotAnswer" },
    refusals: [404],
  },
  [`DELETE ${SNAPSHOT}`]: {
    summary: "Deletes a snapshot",
    answers: { 204: "nothing" },
    refusals: [404, 409],
  },
  [`POST ${SNAPSHOT}/restore`]: {
    summary: "Leads the stack back to its snapshot",
    answers: { 202: "Empty" },
    refusals: [404, 409],
  },
  [`DELETE ${STACK}/abandon`]: {
    summary: "Forgets a stack and leaves its objects. Answers what adopt takes, secrets too",
    answers: { 200: "Values" },
    refusals: [404, 409],
  },
  [`GET ${STACK}/export`]: {
    summary: "What adopt takes, secrets too",
    answers: { 200: "Values" },
    refusals: [404],
  },
};

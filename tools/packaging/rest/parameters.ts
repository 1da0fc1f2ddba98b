import { TENANT } from "#lib/api/tenant.ts";

const INTEGER_MAX = 999_999_999_999_999;
const UUID = "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$";

const text = { type: "string", minLength: 1 } as const;
const id = { type: "string", pattern: UUID } as const;

const PATH_PARAMETERS = {
  tenant: [{ type: "string", pattern: TENANT.source }, "The project."],
  stack_name: [text, "Alone in a path: the name, the id or the ARN."],
  stack_id: [id, ""],
  resource_name: [text, ""],
  event_id: [text, ""],
  snapshot_id: [text, ""],
  key: [text, "The output's name."],
  config_id: [text, ""],
  deployment_id: [text, ""],
  server_id: [text, ""],
  derived_id: [text, "A derived config, or a wait condition handle."],
  upload_id: [text, ""],
  type_name: [text, "Such as `OS::Heat::Value`."],
  template_version: [text, "Such as `heat_template_version.rocky`."],
  printed: [text, "`deploy_stdout` or `deploy_stderr`."],
} as const satisfies Readonly<Record<string, readonly [object, string]>>;

/** In upper or lower case. An empty value counts as missing. */
const flag = { type: "string", pattern: "^([Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee])?$" } as const;
const count = { type: "integer", minimum: 0, maximum: INTEGER_MAX } as const;
const some = { type: "array", items: { type: "string" } } as const;
const one = { type: "string" } as const;
const tags = { ...one, description: "Separated by commas." } as const;

const QUERY_PARAMETERS = {
  abandon_unreachable: [flag, "Deployments on servers that nobody reaches are given up."],
  action: [some, ""],
  all_errors: [flag, "Tells all that is wrong, not the first error only."],
  applied: [one, "The version of the document that the agent has applied."],
  bytes: [count, "The length of the content."],
  basis: [
    one,
    "What the request was prepared on: the `basis` of a preview, a stack or a resource, or the `config_id` of a deployment. If it is another one by now, nothing is changed, and the answer is 409. A preview then warns.",
  ],
  exp: [one, "When the URL ends, in seconds since 1970. 0: never."],
  force: [flag, "Deletes although the outcome of an operation is unknown."],
  from: [count, "How many characters to leave out: the header X-Next-From of the part before."],
  full: [flag, "Visits all resources, changed or not."],
  gen: [one, "The generation of the URL. A rebuilt server has another one."],
  global_tenant: [flag, "Lists the own project's stacks all the same."],
  id: [some, ""],
  kid: [one, "The key of the signature."],
  limit: [count, ""],
  marker: [one, "The id of the last one of the page before."],
  name: [some, ""],
  nested_depth: [count, "How many levels of nested stacks to show."],
  not_tags: [tags, ""],
  not_tags_any: [tags, ""],
  owner_id: [some, ""],
  physical_resource_id: [some, ""],
  resolve_outputs: [flag, ""],
  resource_action: [some, ""],
  resource_marker: [
    { type: "string", pattern: "^([^/]+/[^/]+)?$" },
    "STACK_ID/RESOURCE_NAME of the last one of the page before.",
  ],
  resource_name: [some, ""],
  resource_status: [some, ""],
  resource_type: [some, ""],
  server_id: [one, ""],
  sha256: [one, "Of the content, in base64."],
  show_deleted: [flag, ""],
  show_hidden: [flag, "Nothing is hidden."],
  show_nested: [flag, ""],
  sig: [one, "The signature."],
  sort_dir: [{ type: "string", enum: ["asc", "desc"] }, ""],
  sort_keys: [some, ""],
  status: [some, ""],
  support_status: [
    {
      type: "string",
      enum: ["", "UNKNOWN", "SUPPORTED", "DEPRECATED", "UNSUPPORTED", "HIDDEN"],
    },
    "Empty is all of them.",
  ],
  tags: [tags, ""],
  tags_any: [tags, ""],
  template_type: [{ type: "string", pattern: "^([Hh][Oo][Tt]|[Cc][Ff][Nn])?$" }, "cfn or hot."],
  tenant: [some, "Other projects have no stacks here."],
  type: [some, ""],
  type_name: [one, "`.*` stands for any characters."],
  uploaded_tenant: [one, "The project."],
  upload: [one, "Asks for a URL that takes a result too large for a signal."],
  username: [some, ""],
  version: [one, "Since which the type has its status."],
  with_attr: [some, ""],
  with_condition_func: [flag, ""],
  with_count: [flag, ""],
  with_description: [flag, ""],
  with_detail: [flag, ""],
  with_parents: [flag, "Adds to each nested resource those that it is nested in."],
  with_progress: [flag, "Tells how far operations are that run or have failed: `progress`."],
  with_rows: [flag, "Adds the versions of each resource, such as one that is replaced."],
} as const satisfies Readonly<Record<string, readonly [object, string]>>;

const SENT_AS: Readonly<Record<string, string>> = {
  resource_marker: "marker",
  type_name: "name",
  uploaded_tenant: "tenant",
};

const described = (schema: object, description: string) => ({
  ...(description === "" ? {} : { description }),
  schema,
});

export const parameterComponents = (): Readonly<Record<string, object>> =>
  Object.fromEntries([
    ...Object.entries(PATH_PARAMETERS).map(([name, [schema, description]]) => [
      `path_${name}`,
      { name, in: "path", required: true, ...described(schema, description) },
    ]),
    ...Object.entries(QUERY_PARAMETERS).map(([name, [schema, description]]) => [
      `query_${name}`,
      { name: SENT_AS[name] ?? name, in: "query", ...described(schema, description) },
    ]),
  ]);

export const parameterRef = (place: "path" | "query", name: string) => ({
  $ref: `#/components/parameters/${place}_${name}`,
});

import { type Json, type JsonObject, mergedMaps } from "#lib/json.ts";

const MEMBER: JsonObject = {
  type: "OS::Heat::TestResource",
  properties: {
    value: { get_param: "text" },
    update_replace_value: { get_param: "image" },
    fail: { get_param: "fail" },
  },
};

const PARAMETERS: JsonObject = {
  size: { type: "number", default: 1 },
  minimum: { type: "number", default: 1 },
  text: { type: "string", default: "old" },
  image: { type: "string", default: "1" },
  fail: { type: "boolean", default: false },
  in_service: { type: "number", default: 2 },
  batch: { type: "number", default: 1 },
  removed: { type: "json", default: [] },
  types: { type: "json", default: [] },
  fails_after: { type: "boolean", default: false },
  inner: { type: "number", default: 1 },
};

const POLICY = {
  min_in_service: { get_param: "in_service" },
  max_batch_size: { get_param: "batch" },
  pause_time: 0,
};

/** The resource comes after the group, and fails if the parameter says so. */
const OTHER: JsonObject = {
  type: "OS::Heat::TestResource",
  properties: { value: { get_resource: "group" }, fail: { get_param: "fails_after" } },
};

const hot = (group: JsonObject, outputs: JsonObject, more: JsonObject = {}): JsonObject => ({
  heat_template_version: "2018-08-31",
  parameters: PARAMETERS,
  resources: mergedMaps<Json>({ group, other: OTHER }, more),
  outputs,
});

const policyOf = (adjustment: number): JsonObject => ({
  type: "OS::Heat::ScalingPolicy",
  properties: {
    adjustment_type: "change_in_capacity",
    scaling_adjustment: adjustment,
    cooldown: 0,
    auto_scaling_group_id: { get_resource: "group" },
  },
});

const upBy = (adjustment: number): JsonObject => ({
  policy: policyOf(adjustment),
  down: policyOf(-1),
});

const SCALED_OUTPUTS: JsonObject = {
  members: { value: { get_attr: ["group", "outputs_list", "output"] } },
  refs: { value: { get_attr: ["group", "refs"] } },
  size: { value: { get_attr: ["group", "current_size"] } },
};

const autoScaling = (more: JsonObject, policies: JsonObject): JsonObject =>
  hot(
    {
      type: "OS::Heat::AutoScalingGroup",
      properties: mergedMaps<Json>(
        {
          min_size: { get_param: "minimum" },
          max_size: 9,
          rolling_updates: POLICY,
          resource: MEMBER,
        },
        more,
      ),
    },
    SCALED_OUTPUTS,
    policies,
  );

const SERVER: JsonObject = {
  heat_template_version: "2018-08-31",
  parameters: {
    ImageId: { type: "string" },
    InstanceType: { type: "string" },
    UserData: { type: "string" },
    Tags: { type: "json", default: [] },
  },
  conditions: { fails: { equals: [{ get_param: "InstanceType" }, "fail"] } },
  resources: {
    server: {
      type: "OS::Heat::TestResource",
      properties: { value: { get_param: "UserData" }, fail: { if: ["fails", true, false] } },
    },
  },
  outputs: { PublicIp: { value: { get_resource: "server" } } },
};

const instances = (
  type: string,
  sizes: JsonObject,
  policyName: string,
  policies: JsonObject,
): JsonObject =>
  mergedMaps<Json>(
    hot(
      {
        type,
        properties: mergedMaps<Json>(
          { LaunchConfigurationName: { get_resource: "config" }, AvailabilityZones: ["zone"] },
          sizes,
        ),
        update_policy: {
          [policyName]: {
            MinInstancesInService: { get_param: "in_service" },
            MaxBatchSize: { get_param: "batch" },
          },
        },
      },
      { list: { value: { get_attr: ["group", "InstanceList"] } } },
      mergedMaps<Json>(
        {
          config: {
            type: "AWS::AutoScaling::LaunchConfiguration",
            properties: {
              ImageId: "image",
              InstanceType: { if: ["fails", "fail", "type"] },
              UserData: { get_param: "text" },
            },
          },
        },
        policies,
      ),
    ),
    { conditions: { fails: { get_param: "fail" } } },
  );

export const GROUP_TEMPLATES = {
  "OS::Heat::AutoScalingGroup": autoScaling({ desired_capacity: { get_param: "size" } }, upBy(3)),
  "a scaled OS::Heat::AutoScalingGroup": autoScaling({}, upBy(5)),
  "OS::Heat::AutoScalingGroup in another one": autoScaling(
    {
      desired_capacity: { get_param: "size" },
      resource: {
        type: "OS::Heat::AutoScalingGroup",
        properties: {
          min_size: 0,
          max_size: 9,
          desired_capacity: { get_param: "inner" },
          rolling_updates: POLICY,
          resource: MEMBER,
        },
      },
    },
    {},
  ),
  "OS::Heat::ResourceGroup": hot(
    {
      type: "OS::Heat::ResourceGroup",
      properties: {
        count: { get_param: "size" },
        resource_def: MEMBER,
        removal_policies: [{ resource_list: { get_param: "removed" } }],
      },
      update_policy: { rolling_update: POLICY },
    },
    {
      members: { value: { get_attr: ["group", "output"] } },
      refs: { value: { get_attr: ["group", "refs"] } },
    },
  ),
  "OS::Heat::ResourceChain": hot(
    {
      type: "OS::Heat::ResourceChain",
      properties: {
        resources: { get_param: "types" },
        resource_properties: { value: { get_param: "text" }, fail: { get_param: "fail" } },
      },
    },
    { refs: { value: { get_attr: ["group", "refs"] } } },
  ),
  "OS::Heat::InstanceGroup": instances(
    "OS::Heat::InstanceGroup",
    { Size: { get_param: "size" } },
    "RollingUpdate",
    {},
  ),
  "AWS::AutoScaling::AutoScalingGroup": instances(
    "AWS::AutoScaling::AutoScalingGroup",
    { MinSize: { get_param: "size" }, MaxSize: { get_param: "size" } },
    "AutoScalingRollingUpdate",
    {},
  ),
  "a scaled AWS::AutoScaling::AutoScalingGroup": instances(
    "AWS::AutoScaling::AutoScalingGroup",
    { MinSize: { get_param: "minimum" }, MaxSize: 9 },
    "AutoScalingRollingUpdate",
    upBy(4),
  ),
} as const;

export type GroupTemplate = keyof typeof GROUP_TEMPLATES;

export const bodyOf = (template: GroupTemplate, parameters: JsonObject): JsonObject => ({
  template: GROUP_TEMPLATES[template],
  parameters,
  files: { "server.yaml": JSON.stringify(SERVER) },
  environment: { resource_registry: { "OS::Heat::ScaledResource": "server.yaml" } },
});

/**
 * OS::Heat::InstanceGroup and AWS::AutoScaling::AutoScalingGroup, whose members are described by a
 * launch configuration.
 */
import * as z from "zod/mini";
import { notSupported, RequestError } from "#lib/errors.ts";
import type { BatchPolicy } from "#lib/groups/found-group.ts";
import { isJsonObject, type Json, type JsonObject, mergedMaps } from "#lib/json.ts";
import { json, plainNumber } from "#lib/json-schema.ts";
import type { MemberDefinition } from "#lib/model/group-record.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ProviderCall, ResourceSchema, ResourceType } from "#lib/ports/resource-type.ts";
import { physicalName } from "#lib/stack/physical-name.ts";
import { isEmpty, isJsonArray, member } from "#lib/template/json-shape.ts";
import { reads } from "../given-values.ts";
import { nestedStackId } from "../nested/nested-stack.ts";
import {
  configurationProblem,
  pauseProblem,
  readGiven,
  secondsOfDuration,
} from "./group-checks.ts";
import {
  availabilityZones,
  awsAutoScalingGroupSchema,
  INSTANCE_ATTRIBUTES,
  launchConfigurationName,
  rollingPolicy,
} from "./instance-group-schemas.ts";
import { configurationNamed } from "./launch-configuration.ts";
import { instanceAttributes } from "./scaling-attributes.ts";
import { MEMBER_TYPE, type ScalingKind, scalingGroup } from "./scaling-group.ts";

const instanceGroupSchema: ResourceSchema = {
  description: "A fixed number of like servers that share a launch configuration.",
  properties: {
    AvailabilityZones: availabilityZones,
    LaunchConfigurationName: { ...launchConfigurationName, required: true },
    Size: {
      type: "integer",
      description: "How many servers the group has.",
      required: true,
      updateAllowed: true,
    },
    LoadBalancerNames: {
      type: "list",
      description:
        "The load balancers that spread their traffic over the servers. Each is an AWS::ElasticLoadBalancing::LoadBalancer.",
    },
    Tags: {
      type: "list",
      description: "Keys and values to store with the servers of the group.",
      items: {
        type: "map",
        schema: {
          Key: { type: "string", description: "The key of the tag.", required: true },
          Value: { type: "string", description: "The value of the tag.", required: true },
        },
      },
    },
  },
  attributes: INSTANCE_ATTRIBUTES,
  updatePolicy: rollingPolicy("RollingUpdate"),
  validateFirst: configurationProblem,
  validate: pauseProblem("RollingUpdate"),
};

const policySchema = z.object({
  MinInstancesInService: plainNumber,
  MaxBatchSize: plainNumber,
  PauseTime: z.string(),
});

/**
 * Heat's schema allows such a size, and Heat then makes empty batches until the stack times out.
 */
const noBatch = (size: number): RequestError =>
  new RequestError("ValueError", 400, `MaxBatchSize must be at least 1, and is ${size}.`);

const policyIn = (updatePolicy: JsonObject, name: string): BatchPolicy | null => {
  const found = updatePolicy[name];
  if (found === undefined) return null;
  const given = readGiven(policySchema, found);
  if (given.MaxBatchSize < 1) throw noBatch(given.MaxBatchSize);
  return {
    minInService: given.MinInstancesInService,
    maxBatchSize: given.MaxBatchSize,
    pauseSeconds: secondsOfDuration(given.PauseTime) ?? 0,
  };
};

const namedSchema = z.object({
  LaunchConfigurationName: z.nullish(z.string()),
  Tags: z.nullish(json),
  VPCZoneIdentifier: z.nullish(z.array(z.string())),
});

/** Metering services find the servers of a group by these tags. */
const METERING = "metering.";
const GROUP_TAG = `${METERING}groupname`;

const isMetering = (tag: Json): boolean =>
  isJsonObject(tag) && String(member(tag, "Key") ?? "").startsWith(METERING);

const tagsOf = (given: Json, groupName: string, more: readonly string[]): Json => {
  const tags = isJsonArray(given) ? given : [];
  const keys = [...(tags.some(isMetering) ? [] : [GROUP_TAG]), ...more];
  return [...tags, ...keys.map((key) => ({ Key: key, Value: groupName }))];
};

const definitionWith =
  (...moreTags: readonly string[]) =>
  async (engine: Ports, call: ProviderCall): Promise<MemberDefinition> => {
    const { LaunchConfigurationName, Tags, VPCZoneIdentifier } = readGiven(
      namedSchema,
      call.properties,
    );
    const name = LaunchConfigurationName ?? "";
    if (name === "") throw notSupported("A server to copy (InstanceId)");
    const { properties: given, metadata } = await configurationNamed(engine, call, name);
    if (!isEmpty(given["InstanceId"])) throw notSupported("A server to copy (InstanceId)");
    const groupName = physicalName(call, nestedStackId(engine, call.resourceId));
    const [subnet] = VPCZoneIdentifier ?? [];
    const properties = mergedMaps<Json>(
      given,
      { Tags: tagsOf(Tags ?? null, groupName, moreTags) },
      subnet === undefined ? {} : { SubnetId: subnet },
    );
    return { body: { type: MEMBER_TYPE, properties, metadata }, indexVar: null };
  };

const sizeSchema = z.object({ Size: plainNumber });

const instanceKind: ScalingKind = {
  kind: "instance group",
  read: (properties) => {
    const { Size } = readGiven(sizeSchema, properties);
    return { bounds: { minimum: Size, maximum: Size }, desired: Size, cooldownSeconds: 0 };
  },
  memberType: MEMBER_TYPE,
  readLater: [],
  knownDefinition: (given) => reads(given, "Size", "Tags"),
  definition: definitionWith(),
  policy: (_properties, updatePolicy) => policyIn(updatePolicy, "RollingUpdate"),
  attributes: instanceAttributes,
};

const boundsSchema = z.object({
  MinSize: plainNumber,
  MaxSize: plainNumber,
  Cooldown: z.nullish(plainNumber),
  DesiredCapacity: z.nullish(plainNumber),
});

const awsKind: ScalingKind = {
  kind: "instance group",
  read: (properties) => {
    const given = readGiven(boundsSchema, properties);
    return {
      bounds: { minimum: given.MinSize, maximum: given.MaxSize },
      desired: given.DesiredCapacity ?? null,
      cooldownSeconds: given.Cooldown ?? 0,
    };
  },
  memberType: MEMBER_TYPE,
  readLater: ["Cooldown"],
  knownDefinition: (given) => reads(given, "Tags"),
  definition: definitionWith("metering.AutoScalingGroupName"),
  policy: (_properties, updatePolicy) => policyIn(updatePolicy, "AutoScalingRollingUpdate"),
  attributes: instanceAttributes,
};

export const instanceGroup = (engine: Ports): ResourceType => ({
  ...scalingGroup(engine, instanceKind),
  type: "OS::Heat::InstanceGroup",
  schema: instanceGroupSchema,
});

export const awsAutoScalingGroup = (engine: Ports): ResourceType => ({
  ...scalingGroup(engine, awsKind),
  type: "AWS::AutoScaling::AutoScalingGroup",
  schema: awsAutoScalingGroupSchema,
});

export const boundsOfAwsGroup = awsKind.read;

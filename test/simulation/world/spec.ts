/**
 * Templates as small tables, for cases and random runs. Each name has its type, references and
 * dependencies.
 */
import type { PrepareBudget } from "#lib/convergence/traversal/prepare.ts";
import { type Json, type JsonObject, jsonEquals } from "#lib/json.ts";
import type { Hook } from "#lib/model/resource.ts";
import type { TemplateSource } from "#lib/stack/record/template-record.ts";

export interface GroupSpec {
  readonly count: number;
  readonly member: Pick<ResourceSpec, "type" | "properties">;
  readonly removed?: readonly string[];
  readonly mode?: "append" | "update";
  readonly rolling?: BatchSpec;
  readonly creating?: BatchSpec;
}

export interface ScalingSpec {
  readonly minimum: number;
  readonly maximum: number;
  readonly desired?: number;
  readonly member: Pick<ResourceSpec, "type" | "properties">;
  readonly rolling?: BatchSpec;
  readonly cooldownSeconds?: number;
}

export interface PolicySpec {
  readonly adjustment: number;
  readonly cooldownSeconds?: number;
}

export interface BatchSpec {
  readonly batch: number;
  readonly minimum?: number;
  readonly pauseSeconds?: number;
}

export interface ResourceSpec {
  readonly type?: string;
  /** A change of a key with `!` replaces the resource. */
  readonly properties?: Readonly<Record<string, string>>;
  readonly refers?: Readonly<Record<string, string>>;
  readonly after?: readonly string[];
  /** The resource is a nested stack of these resources. It has no properties of its own. */
  readonly child?: Spec;
  readonly group?: GroupSpec;
  readonly scaling?: ScalingSpec;
  readonly policy?: PolicySpec;
  readonly hooks?: readonly Hook[];
  readonly retained?: boolean;
  readonly snapshotted?: boolean;
  readonly external?: string;
}

export const STACK_TYPE = "OS::Heat::Stack";
export const GROUP_TYPE = "OS::Heat::ResourceGroup";
export const SCALING_TYPE = "OS::Heat::AutoScalingGroup";
export const POLICY_TYPE = "OS::Heat::ScalingPolicy";

/** Whether its operation may have two traversals below. */
export const isGroup = (type: string): boolean => type === GROUP_TYPE || type === SCALING_TYPE;

export const isNested = (type: string): boolean => type === STACK_TYPE || isGroup(type);

export const isUsers = (physicalId: string): boolean => physicalId.startsWith("the user's ");

export type Spec = Readonly<Record<string, ResourceSpec>>;

export interface WorldOptions {
  readonly seed: number;
  readonly inline: boolean;
  readonly disableRollback?: boolean;
  readonly timeoutMins?: number;
  /** Every second name gets a row with a spread id, as all names have in a large stack. */
  readonly spreadsRows?: boolean;
  /** The time that a prepare has left. It is asked before each call that can wait. */
  readonly prepareBudget?: PrepareBudget;
  readonly partNodesMax?: number | undefined;
}

const groupProperties = ({ count, member, removed, mode }: GroupSpec): JsonObject => ({
  count,
  resource_def: {
    type: member.type ?? PLAIN_TYPE,
    properties: { ...member.properties },
  },
  removal_policies: [{ resource_list: [...(removed ?? [])] }],
  removal_policies_mode: mode ?? "append",
});

const policyOf = ({ batch, minimum, pauseSeconds }: BatchSpec): JsonObject => ({
  max_batch_size: batch,
  ...(minimum === undefined ? {} : { min_in_service: minimum }),
  ...(pauseSeconds === undefined ? {} : { pause_time: pauseSeconds }),
});

const updatePolicyOf = ({ rolling, creating }: GroupSpec): JsonObject => ({
  ...(rolling === undefined ? {} : { rolling_update: policyOf(rolling) }),
  ...(creating === undefined ? {} : { batch_create: policyOf(creating) }),
});

const memberOf = ({ type, properties }: ScalingSpec["member"]): JsonObject => ({
  type: type ?? PLAIN_TYPE,
  properties: { ...properties },
});

const scalingProperties = (given: ScalingSpec): JsonObject => ({
  min_size: given.minimum,
  max_size: given.maximum,
  ...(given.desired === undefined ? {} : { desired_capacity: given.desired }),
  ...(given.cooldownSeconds === undefined ? {} : { cooldown: given.cooldownSeconds }),
  ...(given.rolling === undefined ? {} : { rolling_updates: policyOf(given.rolling) }),
  resource: memberOf(given.member),
});

const policyProperties = ({ adjustment, cooldownSeconds }: PolicySpec): JsonObject => ({
  adjustment_type: "change_in_capacity",
  scaling_adjustment: adjustment,
  ...(cooldownSeconds === undefined ? {} : { cooldown: cooldownSeconds }),
});

const propertiesOf = (spec: ResourceSpec): JsonObject => ({
  ...(spec.scaling === undefined ? {} : scalingProperties(spec.scaling)),
  ...(spec.policy === undefined ? {} : policyProperties(spec.policy)),
  ...(spec.group === undefined ? {} : groupProperties(spec.group)),
  ...(spec.child === undefined
    ? {}
    : { template: JSON.stringify(templateOf(spec.child).template) }),
  ...spec.properties,
  ...Object.fromEntries(
    Object.entries(spec.refers ?? {}).map(([key, name]) => [key, { get_resource: name }]),
  ),
});

const registryOf = (spec: Spec): JsonObject => ({
  resources: Object.fromEntries(
    Object.entries(spec).flatMap(([name, { hooks }]) =>
      hooks === undefined ? [] : [[name, { hooks }]],
    ),
  ),
});

const PLAIN_TYPE = "Hearth::Test::Scenario";

const typeOf = ({ type, child, group, scaling, policy }: ResourceSpec): string => {
  if (group !== undefined) return GROUP_TYPE;
  if (scaling !== undefined) return SCALING_TYPE;
  if (policy !== undefined) return POLICY_TYPE;
  return child === undefined ? (type ?? PLAIN_TYPE) : STACK_TYPE;
};

export const templateOf = (spec: Spec): TemplateSource => ({
  template: {
    heat_template_version: "2018-08-31",
    resources: Object.fromEntries(
      Object.entries(spec).map(([name, one]): [string, Json] => [
        name,
        {
          type: typeOf(one),
          properties: propertiesOf(one),
          ...(one.group === undefined ? {} : { update_policy: updatePolicyOf(one.group) }),
          ...(one.after === undefined || one.after.length === 0 || one.external !== undefined
            ? {}
            : { depends_on: one.after }),
          ...(one.external === undefined ? {} : { external_id: one.external }),
          ...(one.retained ? { deletion_policy: "Retain" } : {}),
          ...(one.snapshotted ? { deletion_policy: "Snapshot" } : {}),
        },
      ]),
    ),
  },
  files: {},
  environment: { parameters: {}, parameterDefaults: {}, resourceRegistry: registryOf(spec) },
});

/** As in Heat, an external object depends on nothing. */
export const dependenciesOf = (one: ResourceSpec): readonly string[] =>
  one.external === undefined
    ? [...new Set([...(one.after ?? []), ...Object.values(one.refers ?? {})])]
    : [];

/** An external object has no properties and is retained, whatever its definition says. */
const asRead = (one: ResourceSpec): ResourceSpec =>
  one.external === undefined ? one : { ...one, properties: {}, refers: {}, retained: true };

export const isSameSpec = (one: ResourceSpec, other: ResourceSpec): boolean => {
  const [left, right] = [templateOf({ one: asRead(one) }), templateOf({ one: asRead(other) })];
  const hooks = [one, other].map((spec) => [...(spec.hooks ?? [])].sort().join());
  return jsonEquals(left.template, right.template) && hooks[0] === hooks[1];
};

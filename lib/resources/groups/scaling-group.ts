/** What all kinds of scaling groups share: members with random names in a nested stack. */
import { RequestError, validationFailed } from "#lib/errors.ts";
import { isBarrierName } from "#lib/groups/barriers.ts";
import type { Bounds } from "#lib/groups/capacity.ts";
import type { BatchPolicy, FoundGroup } from "#lib/groups/found-group.ts";
import { type DrawNames, drawNames, memberName } from "#lib/groups/names.ts";
import { membersOf } from "#lib/groups/record.ts";
import { type RootState, scalingGroupRecord } from "#lib/groups/scaling-plan.ts";
import type { JsonObject } from "#lib/json.ts";
import type { GroupKind, GroupRecord, MemberDefinition } from "#lib/model/group-record.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Nests } from "#lib/ports/nesting.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ProviderCall, ResourceType } from "#lib/ports/resource-type.ts";
import { emptyGroupTemplate, MEMBER_VERSION } from "#lib/stack/record/group-template.ts";
import { isJsonArray, member } from "#lib/template/json-shape.ts";
import { misfitIn } from "#lib/template/parse/resource-shape.ts";
import type { NestedView } from "../nested/nested-result.ts";
import type { Arrange, Situation } from "../nested/nested-stack.ts";
import { nestedType } from "../nested/nested-type.ts";
import { foundGroup } from "./found-group.ts";
import { presentAttributes } from "./group-attributes.ts";

/** Heat parses the definition under this name, which appears in its errors. */
const NAME = "member";

const pythonError = (name: string, message: string): RequestError =>
  new RequestError(name, 400, message);

/**
 * Throws Heat's errors for a malformed definition. As in Heat, keys of later template versions such
 * as `condition` have no effect, nor does `depends_on` with names outside the nested stack.
 */
const checkMemberShape = (body: JsonObject): void => {
  if (!Object.hasOwn(body, "type")) {
    throw pythonError("KeyError", `'Resource ${NAME} is missing "type"'`);
  }
  const misfit = misfitIn(NAME, body, MEMBER_VERSION);
  if (misfit !== null) throw pythonError("TypeError", misfit);
  const before = member(body, "depends_on") ?? null;
  if (isJsonArray(before) && before.some((name) => typeof name !== "string")) {
    throw validationFailed(`Resource ${NAME} depends_on must be a list of strings`);
  }
  if (body["type"] === "") throw validationFailed("Each Resource must contain a Type key.");
};

interface ScalingProperties {
  readonly bounds: Bounds;
  /** Null keeps the present number of members, or the minimum at creation. */
  readonly desired: number | null;
  readonly cooldownSeconds: number;
}

export interface ScalingKind {
  readonly kind: Extract<GroupKind, "scaling group" | "instance group">;
  /** Throws a ZodError for properties that were not coerced. */
  readonly read: (properties: JsonObject) => ScalingProperties;
  readonly readLater: readonly string[];
  /** @returns null when the definition is not known before the operation. */
  readonly knownDefinition: (properties: JsonObject) => MemberDefinition | null;
  readonly memberType?: string;
  readonly definition: (engine: Ports, call: ProviderCall) => Promise<MemberDefinition>;
  /** @returns null when a changed definition applies only to new members. */
  readonly policy: (properties: JsonObject, updatePolicy: JsonObject) => BatchPolicy | null;
  readonly attributes: (engine: Ports, stack: Stack) => Promise<JsonObject>;
}

const UNKNOWN: MemberDefinition = { body: {}, indexVar: null };

/**
 * Draws the names of new members. `token` identifies the operation or the signal, and
 * `statusVersion` the state of the nested stack that it has read.
 */
export const drawFor = (
  { ids }: Pick<Ports, "ids">,
  token: string,
  statusVersion: number,
  record: GroupRecord | null,
): DrawNames => {
  const taken = record === null ? [] : membersOf(record).map(({ name }) => name);
  return drawNames(
    (number) => memberName((...parts) => ids.derive(...parts), { token, statusVersion }, number),
    taken,
  );
};

/** As in Heat, the user's environment may map this type to a template. */
export const MEMBER_TYPE = "OS::Heat::ScaledResource";

const nestsOf = (engine: Ports, scaling: ScalingKind): Nests => {
  const { kind, read, readLater, knownDefinition, memberType } = scaling;
  return {
    placeName: "nested_stack",
    checksUnknown: true,
    isScaled: true,
    registry: { [MEMBER_TYPE]: "AWS::EC2::Instance" },
    readLater,
    ...(memberType === undefined ? {} : { memberType }),
    read: async (_typeName, given, _files, { resourceName, referenced }) => {
      const known = knownDefinition(given);
      if (known !== null) checkMemberShape(known.body);
      const record = scalingGroupRecord(
        {
          ...read(given),
          definition: known ?? UNKNOWN,
          policy: null,
          adopted: null,
          root: { reached: null, isRollback: false, isAtTarget: false },
          turn: "",
          secondsLeft: Number.POSITIVE_INFINITY,
          cooldownMs: 0,
          cooldownEnd: 0,
        },
        null,
        drawFor(engine, resourceName, 0, null),
      );
      const template = emptyGroupTemplate(kind);
      const group = { kind, record, isSequence: false, referenced: referenced() };
      return { template, parameters: {}, group };
    },
    membersAfter: async (group, { call, policy, former, below, isSettled }) => {
      const here = { former: former === null ? null : { group: former }, below, isSettled };
      const found = await foundGroup(engine, here);
      const now = engine.clock.now();
      return {
        ...group,
        record: await recordFor(engine, scaling, { call, policy, now, below }, found),
      };
    },
    snippet: () => null,
  };
};

const adoptedMembers = ({ adopted }: ProviderCall): readonly string[] | null =>
  adopted?.resources === undefined
    ? null
    : Object.entries(adopted.resources)
        .filter(
          ([name, { physicalResourceId }]) => physicalResourceId !== null && !isBarrierName(name),
        )
        .map(([name]) => name);

/** The traversal of the root cannot end before this call, so the root does not change meanwhile. */
const rootOf = async (
  { store }: Ports,
  { tenant, stackId }: Pick<ProviderCall, "tenant" | "stackId">,
): Promise<RootState> => {
  const above = await store.getStack(tenant, stackId);
  const rootId = above?.owner?.rootId ?? stackId;
  const root = rootId === stackId ? above : await store.getStack(tenant, rootId);
  return {
    reached: root?.lastGood ? `${root.lastGood} ${root.convergedAt}` : null,
    isRollback: root?.action === "ROLLBACK" && root.status === "IN_PROGRESS",
    isAtTarget: root?.status === "COMPLETE",
  };
};

const recordFor = async (
  engine: Ports,
  kind: ScalingKind,
  { call, policy, now, below }: Pick<Situation, "call" | "policy" | "now" | "below">,
  found: FoundGroup | null,
): Promise<GroupRecord> => {
  const given = kind.read(call.properties);
  const record = found?.record ?? null;
  return scalingGroupRecord(
    {
      ...given,
      definition: await kind.definition(engine, call),
      policy: call.action === "ADOPT" ? null : kind.policy(call.properties, policy),
      adopted: adoptedMembers(call),
      root: await rootOf(engine, call),
      turn: call.token,
      secondsLeft: (call.deadline - now) / SECOND_MS,
      cooldownMs: cooldownMsOf(given.cooldownSeconds),
      cooldownEnd: below === null || record === null ? 0 : cooldownEndOf(below, record),
    },
    found,
    drawFor(engine, call.token, below?.statusVersion ?? 0, record),
  );
};

const arrangeOf =
  (engine: Ports, kind: ScalingKind): Arrange =>
  async (source, situation) => {
    const { group } = source;
    if (group === undefined) return source;
    const found = await foundGroup(engine, situation);
    return {
      ...source,
      group: { ...group, record: await recordFor(engine, kind, situation, found) },
    };
  };

/** As in Heat, get_resource is the name of the nested stack. */
const viewOf =
  ({ attributes }: ScalingKind): NestedView =>
  async (_call, engine, { stack }) => ({
    attributes: await attributes(engine, stack),
    refId: stack.name,
  });

export const scalingGroup = (
  engine: Ports,
  kind: ScalingKind,
): Omit<ResourceType, "type" | "schema"> => ({
  ...nestedType(engine, nestsOf(engine, kind), viewOf(kind), arrangeOf(engine, kind)),
  presentAttributes: presentAttributes(engine, kind.attributes),
});

/**
 * The cooldown of a scaling group (P22). It is computed from the group's record and its nested
 * stack, and stored nowhere else.
 * @returns a time in milliseconds. A change starts its cooldown when the nested stack has reached
 * it. A failed change starts none.
 */
export const cooldownEndOf = (
  { lastGood, templateId, convergedAt }: Pick<Stack, "lastGood" | "templateId" | "convergedAt">,
  { cooldownEnd, cooldownMs }: GroupRecord,
): number =>
  lastGood === templateId && convergedAt !== null
    ? Math.max(cooldownEnd, convergedAt + cooldownMs)
    : cooldownEnd;

const SECOND_MS = 1_000;
/** About 31,000 years. Added to the present time this is still a safe integer. */
const COOLDOWN_MS_MAX = 1_000_000_000_000_000;

/** Users may give fractions, negative numbers or huge ones. A record contains none of these. */
export const cooldownMsOf = (seconds: number): number =>
  Math.min(Math.max(Math.round(seconds * SECOND_MS), 0), COOLDOWN_MS_MAX);

/**
 * The recorded cases of what Heat's groups compute, and our results for the same input. No request
 * reaches these functions alone.
 */
import * as z from "zod";
import type { Existing, RollStep } from "#lib/groups/batches.ts";
import { newCapacity } from "#lib/groups/capacity.ts";
import { groupSteps } from "#lib/groups/group-steps.ts";
import { withIndex } from "#lib/groups/member-definition.ts";
import { drawNames, indexNames, indexOf } from "#lib/groups/names.ts";
import { skipListOfUpdate } from "#lib/groups/resource-group-plan.ts";
import { groupRoll, type Roll, scalingRoll } from "#lib/groups/roll.ts";
import { resized, scalingSteps } from "#lib/groups/scaling-steps.ts";
import { serving } from "#test/unit/groups/members.ts";
import { json, jsonObject } from "./oracle-files.ts";

const text = z.string();
const texts = z.array(text);
const whole = z.int();
const Step = z.object({
  size: whole,
  changes: whole,
  members: texts,
  changed: texts,
  removed: texts,
});
const policy = { max_batch_size: whole, min_in_service: whole };

const caseOf = <Kind extends string, Input extends z.ZodRawShape, Expected extends z.ZodType>(
  kind: Kind,
  input: Input,
  expected: Expected,
) => z.object({ id: text, kind: z.literal(kind), input: z.strictObject(input), expected });

export const GroupCase = z.discriminatedUnion("kind", [
  caseOf("names", { skip: texts, count: whole }, texts),
  caseOf("group-roll", { count: whole, existing: texts, skip: texts, ...policy }, z.array(Step)),
  caseOf("scaling-roll", { capacity: whole, desired: z.nullable(whole), ...policy }, z.array(Step)),
  caseOf(
    "resize",
    { membersOldestFirst: texts, failed: texts, to: whole },
    z.object({ members: texts, withNewDefinition: texts }),
  ),
  caseOf(
    "capacity",
    {
      current: whole,
      adjustment: whole,
      type: z.enum(["change_in_capacity", "exact_capacity", "percent_change_in_capacity"]),
      minStep: z.nullable(whole),
      min: whole,
      max: whole,
    },
    whole,
  ),
  caseOf("index-var", { indexVar: text, name: text, properties: jsonObject }, jsonObject),
  caseOf(
    "skip-list",
    {
      current: texts,
      policies: json,
      mode: z.enum(["append", "update"]),
      members: texts,
      refs: z.record(text, json),
    },
    text,
  ),
]);
export type GroupCase = z.infer<typeof GroupCase>;
type Step = z.infer<typeof Step>;
type ShownStep = { readonly [Key in keyof Step]: Readonly<Step[Key]> };

/** The recorded lists of a ResourceGroup are in the order of the names. */
const byIndex = (names: readonly string[]): readonly string[] =>
  names.toSorted((left, right) => (indexOf(left) ?? 0) - (indexOf(right) ?? 0));

/** The recording named new members n0, n1, … */
const draw = () => drawNames((number) => `n${number}`, []);

const played = (
  before: readonly string[],
  steps: readonly RollStep[],
  shown: (names: readonly string[]) => readonly string[],
) => {
  let members = before;
  return steps.map(({ size, changes, changed, removed }) => {
    const kept = members.filter((name) => !removed.includes(name));
    members = [...kept, ...changed.filter((name) => !kept.includes(name))];
    return {
      size,
      changes,
      members: shown(members),
      changed: shown(changed),
      removed: shown(removed),
    };
  });
};

const comparedRoll = ({ members, batches, leaving }: Roll) => ({
  changed: batches.map(byIndex),
  members: byIndex(members),
  end: byIndex(members.filter((name) => !leaving.has(name))),
});

const recordedRoll = (before: readonly string[], steps: readonly Step[]) => {
  const end = steps.at(-1)?.members ?? before;
  const isSpared = (name: string): boolean => before.includes(name) && !end.includes(name);
  const changed = steps.map((step) => step.changed.filter((name) => !isSpared(name)));
  return {
    changed: changed.filter(({ length }) => length > 0).map(byIndex),
    members: byIndex([...new Set(steps.flatMap(({ members }) => members))]),
    end: byIndex(end),
  };
};

const policyOf = (input: { readonly max_batch_size: number; readonly min_in_service: number }) => ({
  maxBatchSize: input.max_batch_size,
  minInService: input.min_in_service,
});

export interface Computed {
  readonly given: unknown;
  readonly expected: unknown;
}

const ofGroupRoll = ({
  input,
  expected,
}: Extract<GroupCase, { kind: "group-roll" }>): readonly Computed[] => {
  const { existing, skip } = input;
  const target = { count: input.count, skip };
  const kept = existing.filter((name) => !skip.includes(name));
  const steps = groupSteps(serving(...existing), target, policyOf(input));
  const [first, ...later] = played(kept, steps, byIndex);
  const gone = existing.filter((name) => skip.includes(name));
  const removed = byIndex([...gone, ...(first?.removed ?? [])]);
  const roll = groupRoll(serving(...existing), target, policyOf(input));
  return [
    { given: first === undefined ? [] : [{ ...first, removed }, ...later], expected },
    { given: comparedRoll(roll), expected: recordedRoll(kept, expected) },
  ];
};

/**
 * A fault of Heat that is not copied: a member keeps its old definition, because an already updated
 * one was removed as surplus.
 */
const endsWithOld = (steps: readonly ShownStep[]): boolean => {
  const changed = new Set(steps.flatMap((step) => step.changed));
  return (steps.at(-1)?.members ?? []).some((name) => !changed.has(name));
};

const withoutNamesThatGo = (steps: readonly ShownStep[]) =>
  steps.map(({ size, changes, changed, removed }) => ({
    size,
    changes,
    changed,
    removed: removed.length,
  }));

const ofScalingRoll = ({
  input,
  expected,
}: Extract<GroupCase, { kind: "scaling-roll" }>): readonly Computed[] => {
  const names = Array.from({ length: input.capacity }, (_, at) => `m${at}`);
  const target = Math.min(input.desired ?? input.capacity, input.capacity);
  const steps = scalingSteps(serving(...names), target, policyOf(input), draw());
  const roll = scalingRoll(serving(...names), target, policyOf(input), draw());
  if (endsWithOld(expected)) {
    const ours = played(names, steps, (shown) => shown);
    return [
      { given: withoutNamesThatGo(ours), expected: withoutNamesThatGo(expected) },
      { given: endsWithOld(ours), expected: false },
    ];
  }
  return [
    { given: played(names, steps, (shown) => shown), expected },
    { given: comparedRoll(roll), expected: recordedRoll(names, expected) },
  ];
};

const ofResize = ({
  input,
  expected,
}: Extract<GroupCase, { kind: "resize" }>): readonly Computed[] => {
  const found = input.membersOldestFirst.map(
    (name): Existing => ({ name, isServing: !input.failed.includes(name), isUpToDate: false }),
  );
  const members = resized(found, input.to, draw());
  const isNew = (name: string): boolean => !input.membersOldestFirst.includes(name);
  return [{ given: { members, withNewDefinition: members.filter(isNew) }, expected }];
};

const ofSkipList = ({
  input,
  expected,
}: Extract<GroupCase, { kind: "skip-list" }>): readonly Computed[] => {
  const { current, policies, mode, members, refs } = input;
  const skip = skipListOfUpdate(policies, mode, {
    skip: current,
    members: new Set(members),
    references: new Map(Object.entries(refs)),
  });
  return [{ given: skip.join(","), expected }];
};

export const computed = (one: GroupCase): readonly Computed[] => {
  switch (one.kind) {
    case "names":
      return [{ given: indexNames(one.input.count, one.input.skip), expected: one.expected }];
    case "index-var": {
      const { properties, indexVar, name } = one.input;
      return [{ given: withIndex(properties, indexVar, name), expected: one.expected }];
    }
    case "capacity": {
      const { current, type, adjustment, minStep, min, max } = one.input;
      const bounds = { minimum: min, maximum: max };
      const given = newCapacity(current, { type, adjustment, minStep }, bounds);
      return [{ given, expected: one.expected }];
    }
    case "group-roll":
      return ofGroupRoll(one);
    case "scaling-roll":
      return ofScalingRoll(one);
    case "resize":
      return ofResize(one);
    case "skip-list":
      return ofSkipList(one);
  }
};

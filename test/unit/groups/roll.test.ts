import { describe, expect, it } from "vitest";
import { batchSizes, type Existing, type RollKind, type RollPolicy } from "#lib/groups/batches.ts";
import { drawNames, GROUP_MEMBERS_MAX, indexNames } from "#lib/groups/names.ts";
import { groupRoll, type Roll, scalingRoll } from "#lib/groups/roll.ts";
import { failed, serving } from "./members.ts";

const policy = (maxBatchSize: number, minInService: number): RollPolicy => ({
  maxBatchSize,
  minInService,
});
const draw = () => drawNames((number) => `n${number}`, []);
const upTo = (most: number): readonly number[] => Array.from({ length: most + 1 }, (_, at) => at);
const numbered = (count: number) => serving(...indexNames(count, []));

const NUMBER_MAX = 6;
const combinationsUpTo = (most: number) =>
  upTo(most).flatMap((target) =>
    upTo(most).flatMap((current) =>
      upTo(most).flatMap((minInService) =>
        upTo(most - 1).map((below) => ({
          target,
          current,
          policy: policy(below + 1, minInService),
        })),
      ),
    ),
  );
const combinations = combinationsUpTo(NUMBER_MAX);
type Combination = (typeof combinations)[number];

const inService = (existing: readonly Existing[]): ReadonlySet<string> =>
  new Set(existing.filter(({ isServing }) => isServing).map(nameOf));

const nameOf = ({ name }: Existing): string => name;

const servingInBatches = (existing: readonly Existing[], roll: Roll): readonly number[] => {
  const before = inService(existing);
  const now = new Set(roll.members.filter((name) => before.has(name)));
  return roll.batches.map((batch) => {
    for (const name of batch) now.delete(name);
    const count = now.size;
    for (const name of batch) now.add(name);
    return count;
  });
};

const faultsOf = (
  existing: readonly Existing[],
  roll: Roll,
  { target, policy: { maxBatchSize, minInService } }: Omit<Combination, "current">,
): readonly string[] => {
  const floor = Math.min(minInService, target, inService(existing).size);
  const changed = roll.batches.flat();
  const end = roll.members.length - roll.leaving.size - roll.grown.length;
  const serves = [...servingInBatches(existing, roll), end];
  const members = new Set(roll.members);
  const done = new Set([
    ...changed,
    ...roll.grown,
    ...existing.filter(({ isServing, isUpToDate }) => isServing && isUpToDate).map(nameOf),
  ]);
  const isOld = roll.members.some((name) => !roll.leaving.has(name) && !done.has(name));
  const before = inService(existing);
  return [
    ...(isOld ? ["a member keeps its definition"] : []),
    ...(changed.some((name) => before.has(name) && roll.leaving.has(name))
      ? ["a member changes and goes"]
      : []),
    ...(roll.batches.some((batch) => batch.length === 0) ? ["a batch is empty"] : []),
    ...(roll.batches.some((batch) => batch.length > maxBatchSize) ? ["a batch is too large"] : []),
    ...(serves.some((count) => count < floor) ? ["too few members serve"] : []),
    ...(new Set(changed).size < changed.length ? ["a member changes twice"] : []),
    ...(changed.some((name) => !members.has(name)) ? ["a member changes that is none"] : []),
    ...([...roll.leaving].some((name) => !members.has(name)) ? ["one leaves that is none"] : []),
    ...(end === target ? [] : ["the end has another size"]),
  ];
};

const sizeFaults = (kind: RollKind, roll: Roll, given: Combination): readonly string[] => {
  const sizes = batchSizes(kind, given.policy, given.target, given.current);
  const hasSurplus = sizes.some(({ size }) => size > given.target);
  return [
    ...(hasSurplus === roll.leaving.size > 0 ? [] : ["TRIM does not follow from the surplus"]),
    ...(roll.leaving.size > 0 && given.policy.minInService === 0 ? ["TRIM without a floor"] : []),
    ...(sizes.length === roll.batchCount ? [] : ["Heat has another number of batches"]),
  ];
};

describe("every merged roll of up to six members", () => {
  it("keeps floor and batch size in a ResourceGroup, and has a TRIM only for a surplus", () => {
    const faults = combinations.flatMap((given) => {
      const existing = numbered(given.current);
      const roll = groupRoll(existing, { count: given.target, skip: [] }, given.policy);
      const end = roll.members.filter((name) => !roll.leaving.has(name));
      const isWhole = end.join() === indexNames(given.target, []).join();
      const found = [
        ...faultsOf(existing, roll, given),
        ...sizeFaults("group", roll, given),
        ...(isWhole ? [] : ["the end has other members"]),
      ];
      return found.map((fault) => ({ fault, ...given }));
    });
    expect(combinations).toHaveLength(7 * 7 * 7 * 6);
    expect(faults).toEqual([]);
  });

  it("keeps floor and batch size in a scaling group, and has a TRIM only for a surplus", () => {
    // A scaling group does not grow in a roll.
    const shrinking = combinations.filter(({ target, current }) => target <= current);
    const faults = shrinking.flatMap((given) => {
      const existing = numbered(given.current);
      const roll = scalingRoll(existing, given.target, given.policy, draw());
      const found = [...faultsOf(existing, roll, given), ...sizeFaults("scaling", roll, given)];
      return found.map((fault) => ({ fault, ...given }));
    });
    expect(shrinking).toHaveLength(28 * 7 * 6);
    expect(faults).toEqual([]);
  });
});

const upToDate = (name: string): readonly Existing[] => [
  { name, isServing: true, isUpToDate: true },
];

const mixedGroups = (names: readonly string[]): readonly (readonly Existing[])[] =>
  names.reduce<readonly (readonly Existing[])[]>(
    (groups, name) =>
      groups.flatMap((group) => [
        group,
        ...[serving(name), upToDate(name), failed(name)].map((one) => [...group, ...one]),
      ]),
    [[]],
  );

const MIXED_MAX = 5;
const mixed = mixedGroups(indexNames(MIXED_MAX, [])).flatMap((existing) =>
  upTo(MIXED_MAX).flatMap((target) =>
    [0, 2, MIXED_MAX].flatMap((minInService) =>
      [1, 3].map((maxBatchSize) => ({
        existing,
        target,
        policy: policy(maxBatchSize, minInService),
      })),
    ),
  ),
);

describe("every merged roll of failed, missing and serving members", () => {
  it("keeps floor and batch size in a ResourceGroup, and ends with the first names", () => {
    const faults = mixed.flatMap(({ existing, ...given }) => {
      const roll = groupRoll(existing, { count: given.target, skip: [] }, given.policy);
      const end = roll.members.filter((name) => !roll.leaving.has(name));
      const isWhole = end.join() === indexNames(given.target, []).join();
      const found = [
        ...faultsOf(existing, roll, given),
        ...(isWhole ? [] : ["the end has other members"]),
      ];
      return found.map((fault) => ({ fault, existing, ...given }));
    });
    expect(mixed).toHaveLength(4 ** MIXED_MAX * 6 * 3 * 2);
    expect(faults).toEqual([]);
  });

  it("keeps floor and batch size in a scaling group, and makes no name before it uses the old", () => {
    const faults = mixed.flatMap(({ existing, target: capacity, policy: given }) => {
      const roll = scalingRoll(existing, capacity, given, draw());
      const target = Math.min(capacity, existing.length);
      const isRenewed = roll.members.some((name) => name.startsWith("n"));
      const isLeft = existing.some(
        ({ name, isServing }) => !isServing && !roll.members.includes(name),
      );
      const failedChange = roll.batches
        .flat()
        .filter((name) => existing.some((one) => one.name === name && !one.isServing));
      const found = [
        ...faultsOf(existing, roll, { target, policy: given }),
        ...(isRenewed && isLeft ? ["a failed member lost its name"] : []),
        ...(roll.members.some(
          (name) =>
            existing.some((one) => one.name === name && !one.isServing) &&
            !failedChange.includes(name),
        )
          ? ["a failed member does not change"]
          : []),
      ];
      return found.map((fault) => ({ fault, existing, capacity, given }));
    });
    expect(faults).toEqual([]);
  });
});

const SIZES_MAX = 12;

it("a group that shrinks in a roll never grows again in it, and never goes below its target", () => {
  const faults = (["group", "scaling"] as const).flatMap((kind) =>
    combinationsUpTo(SIZES_MAX).filter((given) => {
      const batches = batchSizes(kind, given.policy, given.target, given.current);
      const sizes = [given.current, ...batches.map(({ size }) => size)];
      const steps = sizes.slice(1).map((size, at) => size - (sizes[at] ?? 0));
      const shrinks = steps.findIndex((step) => step < 0);
      const isBelow = steps.some((step, at) => step < 0 && (sizes[at + 1] ?? 0) < given.target);
      return isBelow || (shrinks >= 0 && steps.slice(shrinks).some((step) => step > 0));
    }),
  );
  expect(faults).toEqual([]);
});

describe("the merged roll of a ResourceGroup", () => {
  it("takes skip-listed members at once, and never gives their names again", () => {
    const roll = groupRoll(numbered(3), { count: 3, skip: ["1"] }, policy(2, 0));
    expect(roll).toEqual({
      members: ["0", "2", "3"],
      batches: [["3", "2"], ["0"]],
      grown: [],
      leaving: new Set(),
      batchCount: 2,
    });
  });

  it("brings failed members first, under their names", () => {
    const existing = [...serving("0"), ...failed("1"), ...serving("2"), ...failed("7")];
    const roll = groupRoll(existing, { count: 3, skip: [] }, policy(1, 0));
    expect(roll.members).toEqual(["0", "1", "2"]);
    expect(roll.batches).toEqual([["1"], ["2"], ["0"]]);
  });

  it("leaves members that go later as they are, and members that are done already", () => {
    const [first, ...others] = numbered(7);
    const existing = first === undefined ? [] : [{ ...first, isUpToDate: true }, ...others];
    const roll = groupRoll(existing, { count: 4, skip: [] }, policy(4, 4));
    expect(roll.batches).toEqual([["7", "3", "2", "1"]]);
    expect(roll.members).toEqual(indexNames(8, []));
    expect(roll.leaving).toEqual(new Set(["4", "5", "6", "7"]));
  });

  it("creates in batches from an empty group", () => {
    const roll = groupRoll([], { count: 5, skip: ["0"] }, policy(2, 0));
    expect(roll.batches).toEqual([["1", "2"], ["3", "4"], ["5"]]);
    expect(roll.leaving.size).toBe(0);
  });

  it("ends with the first names even where a failed create left a gap", () => {
    const roll = groupRoll(serving("0", "1", "5"), { count: 3, skip: [] }, policy(1, 0));
    expect(roll.members).toEqual(["0", "1", "2", "5"]);
    expect(roll.batches.flat().toSorted()).toEqual(["0", "1", "2"]);
    expect(roll.leaving).toEqual(new Set(["5"]));
  });

  it("refuses more members than a group may have", () => {
    const target = { count: GROUP_MEMBERS_MAX + 1, skip: [] };
    expect(() => groupRoll([], target, policy(1, 0))).toThrow("at most 10000 members");
  });

  it("never has a batch of none", () => {
    expect(() => groupRoll([], { count: 1, skip: [] }, policy(0, 0))).toThrow(
      "a batch of 0 members changes nothing",
    );
  });
});

describe("the merged roll of a scaling group", () => {
  it("changes the oldest, and takes away only members that it has not changed", () => {
    const roll = scalingRoll(serving("a", "b", "c", "d"), 4, policy(2, 4), draw());
    expect(roll).toEqual({
      members: ["a", "b", "c", "d", "n0", "n1"],
      batches: [
        ["n0", "n1"],
        ["a", "b"],
      ],
      grown: [],
      leaving: new Set(["c", "d"]),
      batchCount: 3,
    });
  });

  it("lets no member go before those are back that an overtaken roll has taken", () => {
    const existing = serving("a", "b", "c");
    const rollOf = (minInService: number, isOvertaking: boolean) => {
      const { members, leaving } = scalingRoll(existing, 2, policy(1, minInService), draw(), {
        isOvertaking,
        isRollback: false,
      });
      return [members, [...leaving]];
    };
    expect(rollOf(1, false)).toEqual([["b", "c"], []]);
    expect(rollOf(1, true)).toEqual([["a", "b", "c"], ["a"]]);
    expect(rollOf(0, true)).toEqual([["b", "c"], []]);
  });

  it("grows only after its last batch", () => {
    const roll = scalingRoll(serving("a", "b"), 4, policy(1, 0), draw());
    expect(roll.batches).toEqual([["a"], ["b"]]);
    expect(roll.grown).toEqual(["n0", "n1"]);
    expect(roll.members).toEqual(["a", "b", "n0", "n1"]);
  });

  it("shrinks to no member", () => {
    const roll = scalingRoll(serving("a", "b"), 0, policy(1, 2), draw());
    expect(roll).toMatchObject({ members: [], batches: [], grown: [] });
  });

  it("keeps the place of a failed member, and brings it first", () => {
    const existing = [...serving("a"), ...failed("b"), ...serving("c")];
    const roll = scalingRoll(existing, 3, policy(1, 0), draw());
    expect(roll.members).toEqual(["a", "b", "c"]);
    expect(roll.batches).toEqual([["b"], ["a"], ["c"]]);
  });

  it("leaves members that are done already", () => {
    const existing = serving("a", "b", "c").map((member) => ({
      ...member,
      isUpToDate: member.name === "a",
    }));
    expect(scalingRoll(existing, 3, policy(2, 0), draw()).batches).toEqual([["b", "c"]]);
  });

  it("refuses more members than a group may have", () => {
    expect(() => scalingRoll([], GROUP_MEMBERS_MAX + 1, policy(1, 0), draw())).toThrow(
      "at most 10000 members",
    );
  });
});

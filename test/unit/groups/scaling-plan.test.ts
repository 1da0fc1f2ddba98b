import { describe, expect, it } from "vitest";
import {
  type Definitions,
  type FoundGroup,
  healthySize,
  openSize,
} from "#lib/groups/found-group.ts";
import { drawNames } from "#lib/groups/names.ts";
import { groupRecord, groupSourceSchema, membersOf, trimmed } from "#lib/groups/record.ts";
import { scalingGroupRecord, type WantedScaling } from "#lib/groups/scaling-plan.ts";
import type { GroupRecord, MemberDefinition } from "#lib/model/group-record.ts";
import { at } from "#test/unit/api/api-world.ts";
import { definition, parts } from "./members.ts";

const OLD = definition("old");
const NEW = definition("new");
const BROKEN = definition("broken");
const POLICY = { maxBatchSize: 1, minInService: 2, pauseSeconds: 0 };

const having = (definition: MemberDefinition, ...names: readonly string[]): Definitions =>
  new Map(names.map((name) => [name, definition]));

const found = (names: readonly string[], more: Partial<FoundGroup> = {}): FoundGroup => ({
  record: groupRecord(
    parts({ members: names.map((name) => ({ name, definition: OLD })), definition: OLD }),
  ),
  isSettled: true,
  serving: new Set(names),
  failed: new Set(),
  made: having(OLD, ...names),
  good: having(OLD, ...names),
  ...more,
});

const planned = (wanted: Partial<WantedScaling>, group: FoundGroup | null): GroupRecord =>
  scalingGroupRecord(
    {
      bounds: { minimum: 0, maximum: 10 },
      desired: null,
      definition: OLD,
      adopted: null,
      policy: POLICY,
      root: { reached: "good", isRollback: false, isAtTarget: true },
      turn: "turn",
      secondsLeft: 60,
      cooldownMs: 0,
      cooldownEnd: 0,
      ...wanted,
    },
    group,
    drawNames((number) => `n${number}`, []),
  );

const shown = (record: GroupRecord): readonly string[] =>
  membersOf(record).map(
    ({ name, definition: { body } }) => `${name} ${at(body, "properties", "salt")}`,
  );

describe("the plan of a scaling group", () => {
  it("shrinks at once where the definition stays", () => {
    const record = planned({ desired: 2 }, found(["a", "b", "c", "d"]));
    expect(membersOf(record).map(({ name }) => name)).toEqual(["c", "d"]);
    expect(record).toMatchObject({ batches: null, trim: [], size: 2 });
  });

  it("has no member for a negative size, and a record that can be read", () => {
    const record = planned({ desired: -1, bounds: { minimum: -1, maximum: -1 } }, found(["a"]));
    expect(record.members).toEqual([]);
    const source = {
      kind: "instance group",
      record,
      isSequence: false,
      referenced: [],
      isSecret: false,
    };
    expect(groupSourceSchema.safeParse(source).success).toBe(true);
  });

  it("gives a new definition to new members only, if there is no policy", () => {
    const record = planned({ desired: 3, definition: NEW, policy: null }, found(["a", "b"]));
    expect(shown(record)).toEqual(["a old", "b old", "n0 new"]);
  });

  it("adopts members at first, and later finds them", () => {
    const adopted = ["a", "b"];
    expect(shown(planned({ adopted, policy: null }, null))).toEqual(["a old", "b old"]);
    const again = planned({ adopted, policy: null }, found(["a", "c"]));
    expect(shown(again)).toEqual(["a old", "c old"]);
  });

  it("gives nobody the definition that only a failed update wanted, not even one that goes", () => {
    const failedUpdate = groupRecord(
      parts({ members: ["a", "b", "c"].map((name) => ({ name, definition: BROKEN })) }),
    );
    const after = found(["b", "c"], {
      record: failedUpdate,
      isSettled: false,
      failed: new Set(["a"]),
      good: having(OLD, "a", "b", "c"),
    });
    const policy = { ...POLICY, minInService: 1 };
    const record = planned({ desired: 1, definition: NEW, policy }, after);
    expect(shown(record)).toEqual(["b new", "c old"]);
    expect(shown(trimmed(record))).toEqual(["b new"]);
    expect(shown(planned({ desired: 3, definition: NEW, policy }, after))).toEqual([
      "a new",
      "b new",
      "c new",
    ]);
  });

  it("lets members go first whose definition only a failed update wanted, without a policy", () => {
    const members = [
      ...["a", "b"].map((name) => ({ name, definition: OLD })),
      { name: "c", definition: BROKEN },
    ];
    const after = found(["a", "b", "c"], {
      record: groupRecord(parts({ members, size: 3 })),
      isSettled: false,
      made: new Map([...having(OLD, "a", "b"), ["c", BROKEN]]),
      good: having(OLD, "a", "b"),
    });
    const wanted = { definition: NEW, policy: null };
    expect(shown(planned({ ...wanted, desired: 2 }, after))).toEqual(["a old", "b old"]);
    expect(shown(planned({ ...wanted, desired: 3 }, after))).toEqual(["a old", "b old", "c new"]);
  });

  it("keeps the size where the template leaves it open, failed members included", () => {
    const names = ["a", "b", "c"];
    const broken = found(names, { serving: new Set(), failed: new Set(names), isSettled: false });
    expect(planned({}, broken)).toMatchObject({ size: 3 });
    const policy = null;
    expect(planned({ policy }, broken)).toMatchObject({ size: 3 });
  });

  it("takes the youngest away in a rollback, and keeps the size that signals have made", () => {
    const record = groupRecord(
      parts({
        members: ["a", "b", "c"].map((name) => ({ name, definition: OLD })),
        open: { size: 2, reached: "good" },
      }),
    );
    const root = { reached: "good", isRollback: true, isAtTarget: false };
    const back = planned({ desired: 1, root }, found(["a", "b", "c"], { record }));
    expect(shown(back)).toEqual(["a old", "b old"]);
    const policy = { ...POLICY, minInService: 0, maxBatchSize: 4 };
    const rolled = planned({ root, definition: NEW, policy }, found(["a", "b", "c"], { record }));
    expect(shown(rolled)).toEqual(["a new", "b new"]);
  });

  it("has the size of the target in a rollback, if a failed update has added the group", () => {
    const root = { reached: "good", isRollback: false, isAtTarget: false };
    const record = planned({ desired: 3, root }, null);
    const back = { ...root, isRollback: true };
    const group = { ...found(["n0", "n1", "n2"]), record };
    expect(planned({ desired: 1, root: back }, group).size).toBe(1);
    expect(planned({ bounds: { minimum: 2, maximum: 5 }, root }, group).size).toBe(2);
  });
});

describe("the size of a group", () => {
  it("counts neither failed members nor those that go", () => {
    const members = ["a", "b", "c", "d"].map((name) => ({ name, definition: OLD }));
    const record = groupRecord(parts({ members, leaving: new Set(["a"]) }));
    const names = members.map(({ name }) => name);
    expect(healthySize(found(names, { record, failed: new Set(["a", "b"]) }))).toBe(2);
    expect(healthySize(found(names, { record }))).toBe(3);
  });

  it("is that of the last target that was reached, unless a newer one was reached since", () => {
    const { record } = found(["a", "b", "c"]);
    expect(openSize(record, "good")).toBe(3);
    const failed = { ...record, open: { size: 2, reached: "good" } };
    expect(openSize(failed, "good")).toBe(2);
    expect(openSize(failed, "newer")).toBe(3);
  });
});

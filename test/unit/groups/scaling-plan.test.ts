import { describe, expect, it } from "vitest";
import { type FoundGroup, healthySize } from "#lib/groups/found-group.ts";
import { drawNames } from "#lib/groups/random-names.ts";
import { groupRecord, groupSourceSchema, membersOf } from "#lib/groups/record.ts";
import { scalingGroupRecord, type WantedScaling } from "#lib/groups/scaling-plan.ts";
import type { GroupRecord } from "#lib/model/group-record.ts";
import { at } from "#test/unit/api/api-world.ts";
import { definition, parts } from "./members.ts";

const OLD = definition("old");
const NEW = definition("new");
const POLICY = { maxBatchSize: 1, minInService: 2, pauseSeconds: 0 };

const found = (names: readonly string[], more: Partial<FoundGroup> = {}): FoundGroup => ({
  record: groupRecord(
    parts({ members: names.map((name) => ({ name, definition: OLD })), definition: OLD }),
  ),
  isSettled: true,
  serving: new Set(names),
  failed: new Set(),
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
      turn: "turn",
      secondsLeft: 60,
      cooldownMs: 0,
      cooldownEnd: 0,
      ...wanted,
    },
    group,
    drawNames((number) => `n${number}`, []),
  );

/** Each member with the salt of its definition. */
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
});

describe("the size of a group", () => {
  it("counts neither failed members nor those that go", () => {
    const members = ["a", "b", "c", "d"].map((name) => ({ name, definition: OLD }));
    const record = groupRecord(parts({ members, leaving: new Set(["a"]) }));
    const names = members.map(({ name }) => name);
    expect(healthySize(found(names, { record, failed: new Set(["a", "b"]) }))).toBe(2);
    expect(healthySize(found(names, { record }))).toBe(3);
  });
});

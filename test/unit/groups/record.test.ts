import { describe, expect, it } from "vitest";
import { drawNames, indexNames, memberName } from "#lib/groups/names.ts";
import {
  batchesOf,
  groupRecord,
  groupSourceSchema,
  latestOf,
  type Member,
  membersOf,
  numbersOf,
  rangesOf,
  trimmed,
} from "#lib/groups/record.ts";
import { groupRoll, type RollChange, rollRecord, scalingRoll } from "#lib/groups/roll.ts";
import { parseJson } from "#lib/json.ts";
import { definition, parts, serving } from "./members.ts";

const stored = (record: unknown) =>
  groupSourceSchema.safeParse({
    kind: "resource group",
    record,
    isSequence: false,
    referenced: [],
    isSecret: false,
  });

const old = definition("old");
const having = (given: Member["definition"], ...names: readonly string[]): readonly Member[] =>
  names.map((name) => ({ name, definition: given }));

describe("ranges", () => {
  it("go up and down, and never turn", () => {
    const numbers = [0, 1, 2, 9, 8, 7, 8, 4, 4];
    const ranges = rangesOf(numbers);
    expect(ranges).toEqual([
      { from: 0, to: 2 },
      { from: 9, to: 7 },
      { from: 8, to: 8 },
      { from: 4, to: 4 },
      { from: 4, to: 4 },
    ]);
    expect(ranges.flatMap(numbersOf)).toEqual(numbers);
    expect(rangesOf([])).toEqual([]);
  });
});

describe("the record of a group", () => {
  it("has numbers as ranges, other names in lists, and each definition once", () => {
    const record = groupRecord(
      parts({
        members: [
          ...having(old, "0", "1", "3"),
          ...having(definition("new"), "4"),
          ...having(definition("old"), "b", "a", "5", "07"),
        ],
      }),
    );
    expect(record.definitions).toEqual([old, definition("new")]);
    expect(record.members).toEqual([
      { definition: 0, names: { from: 0, to: 1 } },
      { definition: 0, names: { from: 3, to: 3 } },
      { definition: 1, names: { from: 4, to: 4 } },
      { definition: 0, names: ["b", "a"] },
      { definition: 0, names: { from: 5, to: 5 } },
      { definition: 0, names: ["07"] },
    ]);
    const members = membersOf(record);
    expect(members.map(({ name }) => name)).toEqual(["0", "1", "3", "4", "b", "a", "5", "07"]);
    expect(new Set(members.map((member) => member.definition)).size).toBe(2);
  });

  it("keeps definitions apart that differ in their index variable only", () => {
    const record = groupRecord(
      parts({ members: [...having(old, "0"), ...having(definition("old", "%i%"), "1")] }),
    );
    expect(record.definitions).toHaveLength(2);
  });

  it("comes back from its text as it was", () => {
    const record = groupRecord(
      parts({
        members: having(definition("old", "%index%"), "0", "1", "2"),
        skip: ["10", "3"],
        size: 2,
        cooldownMs: 60_000,
        cooldownEnd: 1_700_000_000_000,
        batches: [
          { names: ["2"], pauseSeconds: 1.5 },
          { names: ["0"], pauseSeconds: 1.5 },
        ],
        leaving: new Set(["1"]),
      }),
    );
    expect(stored(parseJson(JSON.stringify(record))).data?.record).toEqual(record);
  });

  it.each([
    ["definitions", null],
    ["members", [{ definition: 0, names: { from: -1, to: 2 } }]],
    ["members", [{ definition: 0.5, names: [] }]],
    ["skip", [1]],
    ["size", "2"],
    ["cooldownMs", -1],
    ["batches", { turn: "t" }],
    ["trim", [{ from: 0 }]],
  ])("does not parse with another value of %s", (key, value) => {
    const record = groupRecord(parts({ members: having(old, "0") }));
    expect(stored(record).success).toBe(true);
    expect(stored({ ...record, [key]: value }).success).toBe(false);
  });
});

describe("the batches of a record", () => {
  const members = having(old, ...indexNames(7, []));

  it("are runs of one size, of which the last batch may be smaller", () => {
    const batches = [["6", "5"], ["4", "3"], ["2"], ["1"], ["0"]].map((names) => ({
      names,
      pauseSeconds: 0,
    }));
    const record = groupRecord(parts({ members, batches }));
    expect(record.batches).toEqual({
      turn: "turn",
      overtakes: false,
      runs: [
        { places: [{ from: 6, to: 2 }], size: 2, pauseSeconds: 0 },
        { places: [{ from: 1, to: 0 }], size: 1, pauseSeconds: 0 },
      ],
    });
    expect(batchesOf(record)).toEqual(batches);
  });

  it("may be empty, and may have pauses of their own", () => {
    const batches = [
      { names: [], pauseSeconds: 0 },
      { names: ["1"], pauseSeconds: 2 },
      { names: ["0"], pauseSeconds: 2 },
      { names: ["3"], pauseSeconds: 0 },
      { names: [], pauseSeconds: 2 },
    ];
    expect(batchesOf(groupRecord(parts({ members, batches })))).toEqual(batches);
  });

  it("are none for one batch, because nothing waits", () => {
    const batches = [{ names: ["0", "1"], pauseSeconds: 9 }];
    const record = groupRecord(parts({ members, batches }));
    expect(record.batches).toBeNull();
    expect(batchesOf(record)).toEqual([]);
  });
});

const change = (given: Partial<RollChange> & Pick<RollChange, "roll">): RollChange => ({
  made: new Map(given.roll.members.map((name) => [name, old])),
  definition: definition("new"),
  pauseSeconds: 0,
  maxBatchSize: 1,
  isOvertaking: false,
  skip: [],
  size: given.roll.members.length - given.roll.leaving.size,
  cooldownMs: 0,
  cooldownEnd: 0,
  turn: "turn",
  ...given,
});

const salts = (members: readonly Member[]): readonly string[] =>
  members.map(({ name, definition: { body } }) => `${name} ${JSON.stringify(body["properties"])}`);

describe("the record of a roll", () => {
  const surplus = groupRoll(
    serving("0", "1", "2"),
    { count: 2, skip: [] },
    { maxBatchSize: 1, minInService: 2 },
  );

  it("has all members in ROLL, and the end in TRIM", () => {
    const record = rollRecord(change({ roll: surplus }));
    expect(salts(membersOf(record))).toEqual([
      '0 {"salt":"new"}',
      '1 {"salt":"new"}',
      '2 {"salt":"old"}',
    ]);
    expect(record.trim).toEqual([{ from: 2, to: 2 }]);
    const end = trimmed(record);
    expect(membersOf(end).map(({ name }) => name)).toEqual(["0", "1"]);
    expect(end).toMatchObject({ size: 2, trim: [], batches: null });
    expect(end.definitions).toEqual([definition("new")]);
  });

  it("keeps the newest definition after TRIM, even if no member has it", () => {
    const newest = definition("newest");
    const members = ["0", "1"].map((name) => ({ name, definition: definition("old") }));
    const record = groupRecord(parts({ members, definition: newest, leaving: new Set(["1"]) }));
    expect(latestOf(trimmed(record))).toEqual(newest);
  });

  it("grows once where it overtakes an operation", () => {
    const draw = drawNames((number) => `n${number}`, []);
    const roll = scalingRoll(serving("a"), 3, { maxBatchSize: 1, minInService: 0 }, draw);
    const record = rollRecord(change({ roll, isOvertaking: true }));
    expect(batchesOf(record).map(({ names }) => names)).toEqual([[], ["a"], ["n0", "n1"]]);
  });

  it("pauses before TRIM", () => {
    const record = rollRecord(change({ roll: surplus, pauseSeconds: 3 }));
    expect(batchesOf(record)).toEqual([
      { names: ["1"], pauseSeconds: 3 },
      { names: ["0"], pauseSeconds: 3 },
      { names: [], pauseSeconds: 3 },
    ]);
  });

  it("waits before its first batch if it overtakes an operation", () => {
    const roll = groupRoll(
      serving("0"),
      { count: 1, skip: [] },
      { maxBatchSize: 1, minInService: 0 },
    );
    expect(rollRecord(change({ roll })).batches).toBeNull();
    expect(batchesOf(rollRecord(change({ roll, isOvertaking: true })))).toEqual([
      { names: [], pauseSeconds: 0 },
      { names: ["0"], pauseSeconds: 0 },
    ]);
  });

  it("grows after the last batch without a pause, and keeps the age of members", () => {
    const draw = drawNames((number) => `n${number}`, []);
    const policy = { maxBatchSize: 1, minInService: 0 };
    const roll = scalingRoll(serving("b", "a"), 4, policy, draw);
    const record = rollRecord(change({ roll, made: new Map(), pauseSeconds: 3 }));
    expect(membersOf(record).map(({ name }) => name)).toEqual(["b", "a", "n0", "n1"]);
    expect(batchesOf(record)).toEqual([
      { names: ["b"], pauseSeconds: 3 },
      { names: ["a"], pauseSeconds: 3 },
      { names: ["n0", "n1"], pauseSeconds: 0 },
    ]);
  });

  it("pauses before it grows where a TRIM follows", () => {
    const draw = drawNames((number) => `n${number}`, []);
    const roll = scalingRoll(serving("a"), 3, { maxBatchSize: 1, minInService: 1 }, draw);
    const record = rollRecord(change({ roll, pauseSeconds: 3 }));
    expect(batchesOf(record).at(-1)).toEqual({ names: ["n1", "n2"], pauseSeconds: 3 });
    expect(membersOf(trimmed(record)).map(({ name }) => name)).toEqual(["n0", "n1", "n2"]);
  });
});

const MANY = 10_000;
const BODY_BYTES = 2_200;
const SHORT_RECORD_BYTES_MAX = 3_000;
const NAMED_RECORD_BYTES_MAX = 200_000;

describe("ten thousand members", () => {
  const large = definition("x".repeat(BODY_BYTES), "%index%");
  const bytesOf = (record: object): number => JSON.stringify(record).length;

  it("with numbers take little more than their definition, even in ten thousand batches", () => {
    const names = indexNames(MANY, ["17"]);
    const plain = groupRecord(parts({ members: having(large, ...names), skip: ["17"] }));
    expect(bytesOf(plain)).toBeLessThan(SHORT_RECORD_BYTES_MAX);
    const policy = { maxBatchSize: 1, minInService: 0 };
    const roll = groupRoll(serving(...names), { count: MANY, skip: ["17"] }, policy);
    const record = rollRecord(change({ roll, definition: large, pauseSeconds: 1 }));
    expect(bytesOf(record)).toBeLessThan(SHORT_RECORD_BYTES_MAX);
    expect(batchesOf(record)).toHaveLength(MANY);
  });

  it("with random names take those and one definition, even in ten thousand batches", () => {
    let derived = 0;
    const derive = (): string => {
      derived += 1;
      return `${derived.toString(16).padStart(8, "0")}-1234-8123-8123-123456789012`;
    };
    const nameOf = (number: number) => memberName(derive, { token: "t", statusVersion: 1 }, number);
    const names = drawNames(nameOf, [])(MANY);
    expect(new Set(names).size).toBe(MANY);
    const policy = { maxBatchSize: 1, minInService: MANY };
    const roll = scalingRoll(serving(...names), MANY, policy, drawNames(nameOf, names));
    const record = rollRecord(change({ roll, definition: large, made: new Map() }));
    expect(bytesOf(record)).toBeLessThan(NAMED_RECORD_BYTES_MAX);
    expect(membersOf(record)).toHaveLength(MANY + 1);
  });
});

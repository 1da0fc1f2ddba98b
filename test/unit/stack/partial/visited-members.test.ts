import { describe, expect, it } from "vitest";
import { BARRIER_TYPE } from "#lib/groups/barriers.ts";
import { groupRecord, type Member, membersOf } from "#lib/groups/record.ts";
import type { JsonObject } from "#lib/json.ts";
import type { GroupSource, MemberDefinition } from "#lib/model/group-record.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { emptyGroupTemplate } from "#lib/stack/record/group-template.ts";
import type { TemplateSource } from "#lib/stack/record/template-record.ts";
import { TYPES } from "../../convergence/decisions.ts";
import { PLAIN, PLAIN_TYPES, visited } from "../targets.ts";

const defined = (properties: JsonObject, more: JsonObject = {}): MemberDefinition => ({
  body: { type: PLAIN, properties, ...more },
  indexVar: "%index%",
});

const members = (definition: MemberDefinition, ...names: readonly string[]): readonly Member[] =>
  names.map((name) => ({ name, definition }));

const aGroup = (
  all: readonly Member[],
  { batches = [], ...more }: Partial<GroupSource> & { batches?: readonly string[][] } = {},
): GroupSource => ({
  kind: "resource group",
  record: groupRecord({
    members: all,
    definition: all[0]?.definition ?? null,
    skip: [],
    size: all.length,
    cooldownMs: 0,
    cooldownEnd: 0,
    turn: "t",
    overtakes: false,
    batches: batches.map((names) => ({ names, pauseSeconds: 0 })),
    leaving: new Set(),
  }),
  isSequence: false,
  referenced: [],
  isSecret: false,
  ...more,
});

const given = (group: GroupSource, more: Partial<TemplateSource> = {}) => ({
  resources: {},
  more: { template: emptyGroupTemplate(group.kind), group, ...more },
});

const ONE = defined({ p: "1" });
const THREE = aGroup(members(ONE, "0", "1", "2"));

const seen = (before: GroupSource, after: GroupSource, types = PLAIN_TYPES): Promise<string> =>
  visited(given(before), given(after), types);

describe("P24: of a group an update visits", () => {
  it("no member that both targets want alike, in whatever record", async () => {
    expect(await seen(THREE, THREE)).toBe("");
    const parts = { ...THREE, referenced: [{ key: "refs", path: [] }] };
    expect(await seen(THREE, parts)).toBe("");
    expect(await seen(THREE, aGroup(members(ONE, "2", "1", "0")))).toBe("");
  });

  it("new members, and none that stays beside a removed one", async () => {
    expect(await seen(THREE, aGroup(members(ONE, "0", "1", "2", "3")))).toBe("3");
    expect(await seen(THREE, aGroup(members(ONE, "0", "2", "3")))).toBe("3");
    expect(await seen(THREE, aGroup(members(ONE, "0", "1")))).toBe("");
  });

  it.each<[string, MemberDefinition]>([
    ["the type", { ...ONE, body: { ...ONE.body, type: "Test::Other" } }],
    ["a property", defined({ p: "2" })],
    ["the metadata", defined({ p: "1" }, { metadata: { m: "1" } })],
    ["the deletion policy", defined({ p: "1" }, { deletion_policy: "Retain" })],
    ["the index variable", { ...ONE, indexVar: "%i%" }],
  ])("a member whose definition differs: %s", async (_, other) => {
    const after = aGroup([...members(ONE, "0"), ...members(other, "1"), ...members(ONE, "2")]);
    expect(await seen(THREE, after)).toBe("1");
    expect(await seen(after, THREE)).toBe("1");
  });

  it("a member whose definition stands in another place of the record, but only if it differs", async () => {
    const [two, three] = [defined({ p: "2" }), defined({ p: "3" })];
    const before = aGroup([...members(ONE, "0"), ...members(two, "1")]);
    expect(await seen(before, aGroup([...members(two, "1"), ...members(ONE, "0")]))).toBe("");
    expect(await seen(before, aGroup([...members(two, "0"), ...members(ONE, "1")]))).toBe("0 1");
    expect(await seen(before, aGroup([...members(ONE, "0"), ...members(three, "1")]))).toBe("1");
  });

  it("members that another type is mapped to, by the names of the registry", async () => {
    const environment = (registry: JsonObject) => ({
      environment: { parameters: {}, parameterDefaults: {}, resourceRegistry: registry },
    });
    const types = new Map([...PLAIN_TYPES, ["Test::Other", TYPES.plain] as const]);
    const mapped = { resources: { "1": { [PLAIN]: "Test::Other" } } };
    expect(
      await visited(given(THREE, environment({})), given(THREE, environment(mapped)), types),
    ).toBe("1");
  });

  it("a member of a chain that changes, and what stands between two of these", async () => {
    const chain = (...values: readonly string[]) =>
      aGroup(
        values.flatMap((value, at) => members(defined({ p: value }), String(at))),
        { kind: "chain", isSequence: true },
      );
    expect(await seen(chain("1", "1", "1"), chain("2", "1", "1"))).toBe("0");
    expect(await seen(chain("1", "1", "1"), chain("2", "1", "2"))).toBe("0 1 2");
    expect(await seen(chain("1", "1", "1"), { ...chain("1", "1", "1"), isSequence: false })).toBe(
      "1 2",
    );
  });

  it("members that nest a stack", async () => {
    const types = new Map([[PLAIN, TYPES.nesting]]);
    expect(await seen(THREE, THREE, types)).toBe("0 1 2");
  });

  it("what changes in batches, with the barriers between them, and no other member", async () => {
    const next = aGroup([...members(defined({ p: "2" }), "0", "1"), ...members(ONE, "2")], {
      batches: [["1"], ["0"]],
    });
    expect(await seen(THREE, next)).toBe("0 1 batch_1_done");
  });

  it("nothing for the barriers of an earlier roll, if it wants none itself", async () => {
    const rolled = (value: string) =>
      aGroup(members(defined({ p: value }), "0", "1", "2"), { batches: [["2"], ["1"], ["0"]] });
    const barriers = { ...TYPES.plain, ordering: "barrier" } satisfies ResourceType;
    const types = new Map([...PLAIN_TYPES, [BARRIER_TYPE, barriers] as const]);
    expect(await seen(rolled("1"), aGroup(members(ONE, "0", "1")), types)).toBe("");
    expect(await seen(rolled("1"), aGroup(members(ONE, "0", "1", "2", "3")), types)).toBe("3");
    const other = [...members(defined({ p: "2" }), "1"), ...members(ONE, "0", "2")];
    expect(await seen(rolled("1"), aGroup(other), types)).toBe("1");
    expect(await seen(rolled("1"), rolled("2"), types)).toBe("all");
  });

  it("all, if the definitions begin or cease to show a hidden parameter", async () => {
    expect(await seen(THREE, { ...THREE, isSecret: true })).toBe("all");
  });

  it("all, if there was no group before", async () => {
    const plain = { resources: {}, more: { template: emptyGroupTemplate("resource group") } };
    expect(await visited(plain, given(THREE))).toBe("all");
    expect(await visited(given(THREE), plain)).toBe("all");
  });

  it("nothing more for another metadata or policy of the group itself", async () => {
    const facade = { metadata: { m: "1" }, deletionPolicy: "Delete", updatePolicy: {} };
    expect(await visited(given(THREE), given(THREE, { facade }))).toBe("");
  });
});

it("P24: ten thousand members share the comparison of their definition", async () => {
  let reads = 0;
  const body = { type: PLAIN, properties: { p: "%index%" } };
  const counted = (): MemberDefinition => ({
    get body() {
      reads += 1;
      return body;
    },
    indexVar: "%index%",
  });
  const names = Array.from({ length: 10_000 }, (_, at) => String(at));
  const before = aGroup(members(counted(), ...names));
  const after = aGroup(members(counted(), ...names, "10000"));
  expect(membersOf(after.record).length).toBe(10_001);
  expect(await seen(before, after)).toBe("10000");
  expect(reads).toBeLessThan(100);
});

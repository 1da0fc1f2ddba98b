import { describe, expect, it } from "vitest";
import * as z from "zod";
import { isBarrierName } from "#lib/groups/barriers.ts";
import { batchGraph, childTemplate } from "#lib/groups/child-template.ts";
import { chainMembers, resourceGroupDefinition } from "#lib/groups/member-definition.ts";
import { indexNames } from "#lib/groups/names.ts";
import {
  autoScalingOutputs,
  chainOutputs,
  instanceGroupOutputs,
  resourceGroupOutputs,
} from "#lib/groups/outputs.ts";
import { type GroupParts, groupRecord } from "#lib/groups/record.ts";
import { skipListOfCreate } from "#lib/groups/resource-group-plan.ts";
import { type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import type { GroupRecord, MemberDefinition } from "#lib/model/group-record.ts";
import { member, sectionOf } from "#lib/template/json-shape.ts";
import { jsonObject, readCases, whyNoOracles } from "#test/oracles/oracle-files.ts";
import { definition, parts } from "./members.ts";

const HOT = "2015-04-30";
const CFN = "HeatTemplateFormatVersion.2012-12-12";

const recordOf = (given: MemberDefinition, names: readonly string[]) =>
  groupRecord(parts({ members: names.map((name) => ({ name, definition: given })) }));

const inBatches = (given: MemberDefinition, ...batches: readonly (readonly string[])[]) =>
  groupRecord(
    parts({
      members: batches.flat().map((name) => ({ name, definition: given })),
      batches: batches.map((names) => ({ names, pauseSeconds: 0 })),
    }),
  );

const documentOf = (
  record: GroupRecord,
  version: typeof HOT | typeof CFN,
  outputs: ReadonlyMap<string, Json>,
): JsonObject => childTemplate({ record, isSequence: false }, version, outputs);

describe("the template of a group's members", () => {
  it("has the members in their order, with their names in place of the index variable", () => {
    const record = recordOf(definition("n-%index%", "%index%"), ["2", "10", "1"]);
    const template = documentOf(record, HOT, new Map());
    const resources = sectionOf(template, "resources");
    expect(Object.keys(resources)).toEqual(["2", "10", "1"]);
    expect(resources["10"]).toEqual({
      type: "OS::Heat::RandomString",
      properties: { salt: "n-10" },
    });
    expect(Object.keys(template)).toEqual(["heat_template_version", "resources"]);
  });

  it("has no barrier between two batches, and keeps a member's own dependency", () => {
    const body = { type: "T", depends_on: "x" };
    const record = inBatches({ body, indexVar: null }, ["c"], ["a", "b"]);
    expect(sectionOf(documentOf(record, HOT, new Map()), "resources")).toEqual({
      c: { type: "T", depends_on: "x" },
      a: { type: "T", depends_on: "x" },
      b: { type: "T", depends_on: "x" },
    });
  });

  it("has CloudFormation's words for the groups of its own", () => {
    const body = { type: "OS::Heat::ScaledResource", properties: { a: 1 }, metadata: { b: 2 } };
    const record = inBatches({ body, indexVar: null }, ["x"], ["y"]);
    const outputs = instanceGroupOutputs(["x"], [{ key: "InstanceList", path: [] }]);
    expect(documentOf(record, CFN, outputs)).toEqual({
      HeatTemplateFormatVersion: "2012-12-12",
      Resources: {
        x: { Type: "OS::Heat::ScaledResource", Properties: { a: 1 }, Metadata: { b: 2 } },
        y: {
          Type: "OS::Heat::ScaledResource",
          Properties: { a: 1 },
          Metadata: { b: 2 },
        },
      },
      Outputs: {
        InstanceList: { Value: { x: { "Fn::GetAtt": ["x", "PublicIp"] } } },
        references: { Value: { x: { Ref: "x" } } },
      },
    });
  });
});

describe("the barriers of a group", () => {
  const batch = (pauseSeconds: number, ...names: readonly string[]) => ({ names, pauseSeconds });
  const graphOf = (given: Pick<GroupParts, "batches" | "overtakes">) =>
    batchGraph(
      groupRecord(
        parts({
          members: ["0", "1", "batch_1_done"].map((name) => ({ name, definition: definition("") })),
          ...given,
        }),
      ),
    );
  const graph = (...batches: readonly ReturnType<typeof batch>[]) =>
    graphOf({ batches, overtakes: false });

  it("wait for the batch before, and pause anew in each operation", () => {
    expect(graph(batch(9, "1"), batch(2, "0"), batch(0))).toEqual({
      barriers: [
        { name: "_batch_1_done", properties: { pause_time: 2, turn: "turn" }, requires: ["1"] },
        { name: "batch_2_done", properties: {}, requires: ["0"] },
      ],
      barrierOf: new Map([["0", "_batch_1_done"]]),
    });
  });

  it("wait for the barrier before if there is no member between them", () => {
    expect(graph(batch(0), batch(0, "1"), batch(1), batch(2, "0")).barriers).toEqual([
      { name: "_batch_1_done", properties: {}, requires: [] },
      { name: "batch_2_done", properties: { pause_time: 1, turn: "turn" }, requires: ["1"] },
      {
        name: "batch_3_done",
        properties: { pause_time: 2, turn: "turn" },
        requires: ["batch_2_done"],
      },
    ]);
  });

  it("wait for older operations in the first place only", () => {
    const { barriers } = graphOf({
      batches: [batch(0), batch(0, "1"), batch(0, "0")],
      overtakes: true,
    });
    expect(barriers).toEqual([
      {
        name: "_batch_1_done",
        properties: { after_older_operations: true, turn: "turn" },
        requires: [],
      },
      { name: "batch_2_done", properties: {}, requires: ["1"] },
    ]);
  });

  it("have names by which they are told from members", () => {
    const names = ["batch_1_done", "__batch_12_done", "batch_x_done", "batch_1_done_"];
    expect(names.map(isBarrierName)).toEqual([true, true, false, false]);
  });

  it("are none where all members change at once", () => {
    expect(graph(batch(5, "0", "1"))).toEqual({ barriers: [], barrierOf: new Map() });
  });
});

describe("the outputs of a ResourceGroup", () => {
  const outputs = (...referenced: Parameters<typeof resourceGroupOutputs>[1]) =>
    Object.fromEntries(resourceGroupOutputs(["0", "2"], referenced));
  const refs_map = { "0": { get_resource: "0" }, "2": { get_resource: "2" } };

  it("are the map of references alone, if the parent refers to nothing more", () => {
    expect(outputs()).toEqual({ refs_map });
    expect(
      outputs(
        { key: "refs_map", path: ["0"] },
        { key: "removed_rsrc_list", path: [] },
        { key: "resource.0", path: [] },
        { key: "attributes", path: [] },
        { key: "resource.1", path: ["a"] },
      ),
    ).toEqual({ refs_map });
  });

  it("are what the parent refers to, under Heat's names", () => {
    expect(
      outputs(
        { key: "refs", path: [0] },
        { key: "attributes", path: ["a", 1] },
        { key: "resource.2.first.second", path: ["b"] },
        { key: "resource.0", path: ["c"] },
        { key: "d", path: ["e"] },
      ),
    ).toEqual({
      refs: [{ get_resource: "0" }, { get_resource: "2" }],
      "attributes, a, 1": {
        "0": { get_attr: ["0", "a", 1] },
        "2": { get_attr: ["2", "a", 1] },
      },
      "resource.2.first.second, b": { get_attr: ["2", "first.second", "b"] },
      "resource.0, c": { get_attr: ["0", "c"] },
      "d, e": [{ get_attr: ["0", "d", "e"] }, { get_attr: ["2", "d", "e"] }],
      refs_map,
    });
  });
});

describe("the outputs of an AutoScalingGroup", () => {
  it("are maps for outputs, lists of outputs and single members alike", () => {
    const referenced = [
      { key: "outputs", path: ["a"] },
      { key: "outputs_list", path: ["b", 0] },
      { key: "resource.1.c", path: [] },
      { key: "resource.1", path: [] },
      { key: "outputs", path: [] },
      { key: "current_size", path: ["d"] },
    ];
    expect(Object.fromEntries(autoScalingOutputs(["x"], referenced))).toEqual({
      "outputs, a": { x: { get_attr: ["x", "a"] } },
      "outputs, b, 0": { x: { get_attr: ["x", "b", 0] } },
      "outputs, c": { x: { get_attr: ["x", "c"] } },
      refs_map: { x: { get_resource: "x" } },
    });
  });
});

describe("a chain", () => {
  const types = ["A", "B", "A"];

  const chainOf = (properties: JsonObject | undefined, isSequence: boolean): JsonObject => {
    const record = groupRecord(parts({ members: chainMembers({ types, properties }) }));
    return sectionOf(childTemplate({ record, isSequence }, HOT, new Map()), "resources");
  };

  it("has its types under their places, each behind the one before", () => {
    expect(chainOf({ a: 1 }, true)).toEqual({
      "0": { type: "A", properties: { a: 1 } },
      "1": { type: "B", properties: { a: 1 }, depends_on: ["0"] },
      "2": { type: "A", properties: { a: 1 }, depends_on: ["1"] },
    });
  });

  it("has no order if it is concurrent", () => {
    expect(chainOf(undefined, false)).toEqual({
      "0": { type: "A" },
      "1": { type: "B" },
      "2": { type: "A" },
    });
  });

  it("has one definition for the members of one type", () => {
    const record = groupRecord(parts({ members: chainMembers({ types, properties: {} }) }));
    expect(record.definitions).toHaveLength(2);
  });

  it("has the outputs that the parent refers to, and no map of references", () => {
    const referenced = [
      { key: "refs", path: [0] },
      { key: "attributes", path: ["a"] },
      { key: "attributes", path: [] },
      { key: "resource.1", path: [] },
      { key: "resource.1.b.c", path: [] },
      { key: "resource.7", path: [] },
      { key: "d", path: ["e"] },
    ];
    expect(Object.fromEntries(chainOutputs(["0", "1"], referenced))).toEqual({
      "refs, 0": [{ get_resource: "0" }, { get_resource: "1" }],
      "attributes, a": { "0": { get_attr: ["0", "a"] }, "1": { get_attr: ["1", "a"] } },
      "resource.1": { get_resource: "1" },
      "resource.1.b.c": { get_attr: ["1", "b.c"] },
      "d, e": [{ get_attr: ["0", "d", "e"] }, { get_attr: ["1", "d", "e"] }],
    });
    expect(chainOutputs(["0"], []).size).toBe(0);
  });
});

const Child = z.object({ type: z.string(), properties: jsonObject, template: jsonObject });

/** Groups of deployments are left out, because they have no definition of their own. */
const recorded = (whyNoOracles() === null ? readCases("child-templates.json", Child) : []).filter(
  ({ type }) => !type.includes("Deployment"),
);

const madeChain = (properties: JsonObject): JsonObject => {
  const types = z.array(z.string()).parse(member(properties, "resources"));
  const isSequence = member(properties, "concurrent") !== true;
  const record = groupRecord(parts({ members: chainMembers({ types, properties: undefined }) }));
  return childTemplate({ record, isSequence }, HOT, new Map());
};

/** Heat ran in one process for the recording, so it ordered a concurrent chain, too. */
const wanted = ({ properties, template }: z.infer<typeof Child>): JsonObject => {
  if (member(properties, "concurrent") !== true) return template;
  const resources = Object.keys(sectionOf(template, "resources")).map((name) => {
    const { type = null } = sectionOf(template, "resources", name);
    return [name, { type }] as const;
  });
  return mergedMaps<Json>(template, { resources: mapOf(resources) });
};

const made = ({ type, properties, template }: z.infer<typeof Child>): JsonObject => {
  if (type === "OS::Heat::ResourceChain") return madeChain(properties);
  if (type === "OS::Heat::AutoScalingGroup") {
    // The recorded names are random.
    const names = Object.keys(sectionOf(template, "resources"));
    const record = recordOf({ body: sectionOf(properties, "resource"), indexVar: null }, names);
    return documentOf(record, HOT, autoScalingOutputs(names, []));
  }
  const given = sectionOf(properties, "resource_def");
  // The schema of the property reads null as an empty map.
  const read = member(given, "properties") === null ? { ...given, properties: {} } : given;
  const count = z.int().parse(member(properties, "count") ?? 1);
  const names = indexNames(count, skipListOfCreate(member(properties, "removal_policies") ?? []));
  const record = recordOf(resourceGroupDefinition(read, "%index%"), names);
  return documentOf(record, HOT, resourceGroupOutputs(names, []));
};

describe.runIf(recorded.length > 0)("the template that Heat made of a group", () => {
  it.each(recorded.map((one, at) => [at, one.type, one] as const))("%i %s", (_at, _type, one) => {
    expect(made(one)).toEqual(wanted(one));
  });
});

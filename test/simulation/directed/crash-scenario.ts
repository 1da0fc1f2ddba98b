/**
 * The life of the stack that the crash points are taken from: it is created, updated in every way,
 * updated so that it fails and rolls back, and deleted. A run uses the first N of twelve resources.
 */
import type { GroupSpec, ResourceSpec, ScalingSpec, Spec } from "../world/spec.ts";

/**
 * A resource in the created, the updated and the failing template; undefined where it is absent.
 */
interface Part {
  readonly name: string;
  readonly created?: ResourceSpec;
  readonly updated?: ResourceSpec;
  readonly failing?: ResourceSpec;
}

const to = (...names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(names.map((name) => [`to_${name}`, name]));
const same = (name: string, spec: ResourceSpec): Part => ({
  name,
  created: spec,
  updated: spec,
  failing: spec,
});
const changed = (name: string, rest: ResourceSpec, key: "v" | "r!" = "v"): Part => ({
  name,
  created: { ...rest, properties: { [key]: "1" } },
  updated: { ...rest, properties: { [key]: "2" } },
  failing: { ...rest, properties: { [key]: "3" } },
});

const PARTS: readonly Part[] = [
  changed("a", {}),
  changed("b", { refers: to("a") }, "r!"),
  { name: "removed", created: { properties: { v: "1" }, refers: to("b") } },
  {
    name: "reordered",
    created: { properties: { v: "1" }, refers: to("a") },
    updated: { properties: { v: "1" } },
    failing: { properties: { v: "1" }, refers: to("b") },
  },
  same("slow", { type: "Sim::Slow", properties: { v: "1", poll: "3" }, refers: to("b") }),
  changed("waiting", { type: "Sim::Waiting", refers: to("slow") }),
  changed("searchable", { type: "Sim::Searchable", refers: to("b", "slow") }, "r!"),
  changed("refusing", { type: "Sim::Refusing", refers: to("a") }),
  same("joins", { refers: to("waiting", "searchable"), after: ["refusing"] }),
  {
    name: "other",
    created: { properties: { v: "1" }, refers: to("joins") },
    updated: { properties: { v: "1" }, after: ["reordered"] },
    failing: { properties: { v: "1" } },
  },
  changed("last", { refers: to("joins"), after: ["slow"] }, "r!"),
  { name: "old", created: { properties: { v: "1" }, after: ["last"] } },
];

export const CRASH_NODES_MAX = PARTS.length;

const specOf = (parts: readonly Part[], when: "created" | "updated" | "failing"): Spec =>
  Object.fromEntries(
    parts.flatMap((part) => {
      const spec = part[when];
      return spec === undefined ? [] : [[part.name, spec]];
    }),
  );

export interface CrashScenario {
  readonly created: Spec;
  readonly updated: Spec;
  readonly failing: Spec;
  readonly signals?: readonly string[];
}

export const crashScenario = (nodes: number): CrashScenario => {
  const parts = PARTS.slice(0, nodes);
  return {
    created: specOf(parts, "created"),
    updated: { ...specOf(parts, "updated"), added: { properties: { v: "1" }, refers: to("a") } },
    failing: { ...specOf(parts, "failing"), broken: { type: "Sim::Broken", refers: to("a") } },
  };
};

const member = (value: string, after: readonly string[] = []): ResourceSpec => ({
  type: "Sim::Waiting",
  properties: { v: value },
  after,
});
const barrier = (turn: string, after: readonly string[]): ResourceSpec => ({
  type: "Sim::Barrier",
  properties: { turn },
  after,
});

export const BATCHES: CrashScenario = {
  created: {
    a: member("1"),
    one: barrier("1", ["a"]),
    b: member("1", ["one"]),
    c: member("1", ["one"]),
  },
  updated: {
    d: member("2"),
    one: barrier("2", ["d"]),
    b: member("2", ["one"]),
    two: barrier("2", ["b"]),
    a: member("2", ["two"]),
  },
  failing: {
    d: member("3"),
    one: barrier("3", ["d"]),
    broken: { type: "Sim::Broken", after: ["one"] },
    two: barrier("3", ["broken"]),
    b: member("3", ["two"]),
    a: member("3", ["two"]),
  },
};

const group = (count: number, value: string, more: Partial<GroupSpec> = {}): Spec => ({
  g: {
    group: {
      count,
      member: { type: "Sim::Waiting", properties: { v: value } },
      rolling: { minimum: 2, batch: 1 },
      ...more,
    },
  },
});

/**
 * The group keeps its members in service, so its update has two traversals. The rollback of the
 * next update, whose members break, has two as well.
 */
export const GROUPS: CrashScenario = {
  created: group(2, "1"),
  updated: group(2, "2", { removed: ["0"] }),
  failing: group(3, "3", { member: { type: "Sim::Broken", properties: { v: "3" } } }),
};

const scaled = (value: string, more: Partial<ScalingSpec> = {}): Spec => ({
  s: {
    scaling: {
      minimum: 2,
      maximum: 4,
      member: { type: "Sim::Waiting", properties: { v: value } },
      rolling: { minimum: 2, batch: 1 },
      ...more,
    },
  },
  up: { policy: { adjustment: 1 }, refers: { auto_scaling_group_id: "s" } },
  down: { policy: { adjustment: -1 }, refers: { auto_scaling_group_id: "s" } },
});

export const SCALING: CrashScenario = {
  created: scaled("1"),
  updated: scaled("2", { maximum: 3 }),
  failing: scaled("3", { member: { type: "Sim::Broken", properties: { v: "3" } } }),
  signals: ["up", "down"],
};

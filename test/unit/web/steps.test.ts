import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { sceneGraph } from "../../../apps/console/src/step-graph.ts";
import {
  labelOf,
  type Row,
  type Scene,
  type Waiting,
} from "../../../apps/console/src/step-shape.ts";
import { stepLines } from "../../../apps/console/src/step-words.ts";
import { STORIES, storyOf } from "../../../apps/console/src/stories.ts";

const STACK = { id: "stack-id", stack_name: "app", stack_status: "UPDATE_IN_PROGRESS" };

const message = (id: string, more: Partial<Waiting> = {}): Waiting => ({
  id,
  queue: "check",
  type: "check_resource",
  stack_id: STACK.id,
  stack_name: STACK.stack_name,
  traversal: 2,
  is_current: true,
  row: "old-row",
  name: "a",
  is_update: true,
  acts_for_other: false,
  due_ms: 0,
  receives: 0,
  ...more,
});

const row = (uuid: string, more: Partial<Row> = {}): Row => ({
  uuid,
  name: "a",
  physical_id: "object-1",
  requires: [],
  replaces: null,
  replaced_by: null,
  action: "CREATE",
  status: "COMPLETE",
  locked_by: null,
  ...more,
});

const scene = (rows: readonly Row[], waiting: readonly Waiting[]): Scene => ({
  stack: STACK,
  resources: [],
  waiting,
  rows,
});

describe("a message that waits", () => {
  it("is named by traversal, row and part", () => {
    expect(labelOf(message("1"))).toBe("2aU");
    expect(labelOf(message("1", { is_update: false }))).toBe("2aC");
    expect(labelOf(message("1", { acts_for_other: true }))).toBe("2a'U");
    expect(labelOf(message("1", { type: "prepare_traversal", name: null }))).toBe("prepare 2");
  });

  it("stands on the node of its row, and on no node of another stack", () => {
    const rows = [
      { id: "new-row", status: "INIT_COMPLETE", stands: true, replaces: "old-row" },
      { id: "old-row", status: "CREATE_COMPLETE", stands: false, replaced_by: "new-row" },
    ];
    const resource = {
      resource_name: "a",
      resource_type: "T",
      resource_status: "INIT_COMPLETE",
      links: [{ rel: "stack", href: `http://host/v1/p/stacks/app/${STACK.id}` }],
      rows,
    };
    const waiting = [message("1", { is_update: false }), message("2", { stack_id: "other" })];
    const graph = sceneGraph({ ...scene([], waiting), resources: [resource] });
    const words = (id: string) => graph.get(id)?.look.marks.map((mark) => mark.words);
    expect(words("a")).toEqual([]);
    expect(words("a#old-row")).toEqual(["an old version", "waits: 2aC"]);
  });
});

describe("a step", () => {
  it("tells which rows it changed, and what it sent", () => {
    const before = scene([row("old-row")], [message("1")]);
    const after = scene(
      [
        row("old-row", { replaced_by: "new-row-of-a" }),
        row("new-row-of-a", { action: "INIT", physical_id: null, replaces: "old-row" }),
      ],
      [message("2", { row: "new-row-of-a", acts_for_other: true })],
    );
    expect(stepLines(before, { delivered: 1, pending: 1 }, after)).toEqual([
      "2aU is handled.",
      "row a old-row is replaced by new-row-",
      "row a new-row- is new: Not begun",
      "2a'U is sent",
    ]);
  });

  it("tells the end of a row, and when nothing changed", () => {
    const before = scene([row("old-row")], [message("1")]);
    expect(stepLines(before, { delivered: 1, pending: 0 }, scene([], []))).toEqual([
      "2aU is handled.",
      "row a old-row is a tombstone",
    ]);
    expect(stepLines(before, { delivered: 1, pending: 0 }, scene([row("old-row")], []))).toEqual([
      "2aU is handled.",
      "no row changes",
    ]);
  });

  it("tells a worker that died from a stack at rest", () => {
    const before = scene([row("old-row")], [message("1")]);
    expect(stepLines(before, { delivered: 0, pending: 1 }, before)[0]).toContain("has died");
    expect(stepLines(scene([], []), { delivered: 0, pending: 0 }, scene([], []))).toEqual([
      "Nothing waits any more.",
    ]);
  });
});

describe("the stories", () => {
  it("have the names of the chapters of the page about convergence", () => {
    const page = readFileSync(new URL("../../../docs/convergence.md", import.meta.url), "utf8");
    for (const { id, title } of STORIES) {
      expect(page).toContain(`[${title.toLowerCase()}](#${id})`);
      expect(page).toContain(`Play it at \`/#/steps/${id}\``);
      expect(storyOf(id)?.title).toBe(title);
    }
    expect(storyOf("another")).toBeNull();
  });
});

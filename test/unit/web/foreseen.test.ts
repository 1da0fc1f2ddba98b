import { describe, expect, it } from "vitest";
import type { WireChange } from "#client/wire.ts";
import {
  type Change,
  differencesOf,
  foreseenGraph,
  reasonsOf,
  sortOf,
} from "../../../apps/console/src/foreseen.ts";

const detail: WireChange = {
  properties: [],
  reason: null,
  operation: null,
  visit: "changed",
  keeps_object: false,
};
const change = (kind: string, known: Partial<WireChange> | null = {}): Change => ({
  kind,
  name: kind,
  type: "T",
  requiredBy: [],
  parent: null,
  detail: known === null ? null : { ...detail, ...known },
});

describe("a foreseen change", () => {
  it("tells what is only looked at from what is not looked at", () => {
    expect(sortOf(change("unchanged", { visit: "reached" }))).toBe("reached");
    expect(sortOf(change("unchanged", { visit: "none" }))).toBe("untouched");
    expect(sortOf(change("updated", { visit: "reached" }))).toBe("reached");
    expect(sortOf(change("unchanged", null))).toBe("untouched");
  });

  it("of a kind that a newer server knows counts as a change", () => {
    expect(sortOf(change("imported"))).toBe("updated");
  });

  it("has no other look in the graph for two kinds", () => {
    const kinds = ["added", "updated", "replaced", "deleted", "unchanged"];
    const looks = [...foreseenGraph(kinds.map((kind) => change(kind))).values()];
    expect(new Set(looks.map(({ look }) => look.tone)).size).toBe(kinds.length);
    expect(new Set(looks.map(({ look }) => look.sign)).size).toBe(kinds.length);
  });

  it("says why, and what it does about an operation that goes on", () => {
    const operation = { action: "UPDATE", fate: "interrupted" };
    const busy = change("updated", { reason: "its UPDATE is interrupted", operation });
    expect(reasonsOf(busy)).toEqual([
      "because its UPDATE is interrupted",
      "\u21af interrupts its UPDATE, which goes on",
    ]);
    expect(foreseenGraph([busy]).get("updated")?.look.marks[0]?.words).toBe(
      "interrupts its UPDATE, which goes on",
    );
  });

  it("shows both values of a property, and none that only the update can tell", () => {
    const properties = [
      { name: "size", before: 1, after: null, unknown: false },
      { name: "id", before: null, after: null, unknown: true },
    ];
    expect(differencesOf(change("updated", { properties }))).toEqual([
      { name: "size", before: "1", after: null },
      { name: "id", before: null, after: "known after the update" },
    ]);
  });
});

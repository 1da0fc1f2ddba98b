/** Which of its rows represents a name (Heat: Stack._get_best_existing_rsrc_db). */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RESOURCE_ACTIONS } from "#lib/model/action.ts";
import type { Resource } from "#lib/model/resource.ts";
import { bestResources, isExtant } from "#lib/stack/standing-rows.ts";
import { aRow } from "../convergence/rows.ts";

const best = (
  rows: readonly Partial<Resource>[],
  target = "target",
  interrupted: string | null = null,
): string | undefined =>
  bestResources(
    rows.map((fields, at) => aRow({ id: `row ${at + 1}`, name: "a", ...fields })),
    target,
    interrupted,
  ).get("a")?.id;

describe("P2: the row that represents a name", () => {
  const HEALTHY = { templateId: "former" } as const;
  const OF_TARGET = { templateId: "target" } as const;
  const OF_INTERRUPTED = { templateId: "interrupted" } as const;
  const FAILED = { status: "FAILED" } as const;
  const FAILED_REPLACEMENT = { ...FAILED, templateId: "target" } as const;
  const REPLACED = { replacedBy: "another" } as const;
  const BEING_DELETED = { action: "DELETE", status: "IN_PROGRESS" } as const;
  const TOMBSTONE = { action: "DELETE", status: "COMPLETE" } as const;
  const NEVER_CLAIMED = { action: "INIT", templateId: null } as const;

  // biome-ignore format: a table is read by its columns
  it.each([
    // rule      the winner                    the winner's fields  the other's fields
    ["case 9",   "a healthy original",         HEALTHY,             FAILED_REPLACEMENT],
    ["case 9",   "the original, on rollback",  { ...OF_TARGET, ...REPLACED }, HEALTHY],
    ["P2",       "the row of the target",      OF_TARGET,           HEALTHY],
    ["P2",       "the row of the target",      OF_TARGET,           OF_INTERRUPTED],
    ["P2",       "the row of the interrupted", OF_INTERRUPTED,      HEALTHY],
    ["P2",       "the row without replacement", HEALTHY,            REPLACED],
    ["P2",       "the claimed row",            HEALTHY,             NEVER_CLAIMED],
    ["P2",       "the failed row",             FAILED,              BEING_DELETED],
    ["P2",       "the row that never was",     NEVER_CLAIMED,       BEING_DELETED],
    ["D11",      "the row that is extant",     BEING_DELETED,       TOMBSTONE],
  ] as const)("%s: %s wins, in either order", (_, __, winner, other) => {
    expect(best([winner, other], "target", "interrupted")).toBe("row 1");
    expect(best([other, winner], "target", "interrupted")).toBe("row 2");
  });

  it("P2: the row that changed last wins among equals", () => {
    expect(best([{ updatedAt: 1 }, { updatedAt: 2 }])).toBe("row 2");
    expect(best([{ updatedAt: 2 }, { updatedAt: 1 }])).toBe("row 1");
  });

  it("case 18: a name without extant rows has none", () => {
    expect(best([TOMBSTONE])).toBeUndefined();
    expect(best([])).toBeUndefined();
  });
});

describe("P2: the choice among any rows", () => {
  const anyRows = fc
    .array(
      fc.record({
        name: fc.constantFrom("a", "b", "c"),
        action: fc.constantFrom(...RESOURCE_ACTIONS),
        status: fc.constantFrom("COMPLETE", "FAILED"),
        templateId: fc.constantFrom("target", "interrupted", "former", null),
        replacedBy: fc.constantFrom("another", null),
      }),
      { maxLength: 8 },
    )
    // No two rows have changed at the same time, so every choice has one winner.
    .map((all) => all.map((fields, at) => aRow({ id: `row ${at}`, updatedAt: at, ...fields })));

  const idsByName = (rows: readonly Resource[]) =>
    new Map([...bestResources(rows, "target", "interrupted")].map(([name, { id }]) => [name, id]));

  it("has one extant row for each name that has extant rows", () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const chosen = bestResources(rows, "target", "interrupted");
        const names = new Set(rows.filter(isExtant).map(({ name }) => name));
        expect(new Set(chosen.keys())).toEqual(names);
        for (const [name, row] of chosen) expect([row.name, isExtant(row)]).toEqual([name, true]);
      }),
    );
  });

  it("does not depend on the order in which the store lists the rows", () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        expect(idsByName(rows.toReversed())).toEqual(idsByName(rows));
      }),
    );
  });

  it("D9: prefers any healthy row that nothing deletes to a failed one", () => {
    fc.assert(
      fc.property(anyRows, (rows) => {
        const isHealthy = (row: Resource) => row.status === "COMPLETE" && row.action !== "DELETE";
        const healthy = new Set(rows.filter(isHealthy).map(({ name }) => name));
        for (const [name, row] of bestResources(rows, "target", "interrupted")) {
          if (healthy.has(name)) expect(isHealthy(row)).toBe(true);
        }
      }),
    );
  });
});

/** P3.1: the truth tables of a cleanup node. Read a row from left to right, as in "if … then …". */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CleanupSituation, decideCleanup } from "#lib/convergence/decide.ts";
import { STACK_ACTIONS, type StackAction } from "#lib/model/action.ts";
import { CONVERGING, rowIn, STATES, word } from "./decisions.ts";

const CURRENT = "current";
const BRINGS_TO_TARGET = [...CONVERGING, "ADOPT"] as const;
const LEAVES_ALONE = ["CHECK", "RESUME", "SNAPSHOT"] as const;

const situation = (stackAction: StackAction, state: string): CleanupSituation => ({
  stackAction,
  traversalId: CURRENT,
  row: rowIn(state),
  isChosen: true,
  nests: false,
  retains: false,
});

const inService = (of: CleanupSituation): CleanupSituation => ({
  ...of,
  row: of.row === null ? null : { ...of.row, updateDone: CURRENT },
});

const decide = (of: CleanupSituation): string => word(decideCleanup(of));

const decideBoth = (action: StackAction, state: string): readonly string[] => {
  const of = situation(action, state);
  return [...new Set([decide(of), decide(inService(of))])];
};

describe("P3.1: the action of the stack decides first, then the state of the row", () => {
  // biome-ignore format: a table is read by its columns
  const TABLE = [
    //                            an update, if the row
    // rule  the row              serves  or not    DELETE    SUSPEND
    ["P10",  "none",              "pass", "pass",   "pass",   "pass"],
    ["P10",  "INIT",              "pass", "drop",   "drop",   "pass"],
    ["P3.1", "CREATE COMPLETE",   "pass", "DELETE", "DELETE", "SUSPEND"],
    ["P3.1", "CREATE FAILED",     "pass", "DELETE", "DELETE", "pass"],
    ["P3.1", "UPDATE COMPLETE",   "pass", "DELETE", "DELETE", "SUSPEND"],
    ["P3.1", "UPDATE FAILED",     "pass", "DELETE", "DELETE", "pass"],
    ["D11",  "DELETE COMPLETE",   "pass", "pass",   "pass",   "pass"],
    ["P3.1", "DELETE FAILED",     "pass", "DELETE", "DELETE", "pass"],
    ["P3.1", "SUSPEND COMPLETE",  "pass", "DELETE", "DELETE", "SUSPEND"],
    ["P3.1", "SUSPEND FAILED",    "pass", "DELETE", "DELETE", "SUSPEND"],
    ["P3.1", "RESUME COMPLETE",   "pass", "DELETE", "DELETE", "SUSPEND"],
    ["P3.1", "RESUME FAILED",     "pass", "DELETE", "DELETE", "SUSPEND"],
    ["P3.1", "CHECK COMPLETE",    "pass", "DELETE", "DELETE", "SUSPEND"],
    ["P27",  "CHECK FAILED",      "pass", "DELETE", "DELETE", "SUSPEND"],
    ["P3.1", "ADOPT COMPLETE",    "pass", "DELETE", "DELETE", "SUSPEND"],
    ["P3.1", "ADOPT FAILED",      "pass", "DELETE", "DELETE", "pass"],
    ["P3.1", "SNAPSHOT COMPLETE", "pass", "DELETE", "DELETE", "SUSPEND"],
    ["P3.1", "SNAPSHOT FAILED",   "pass", "DELETE", "DELETE", "SUSPEND"],
  ] as const;

  it.each(TABLE)("%s: a row %s, decided as %s if it serves and as %s if not", (...line) => {
    const [, state, serving, notServing, inDelete, inSuspend] = line;
    for (const action of BRINGS_TO_TARGET) {
      expect(decide(inService(situation(action, state)))).toBe(serving);
      expect(decide(situation(action, state))).toBe(notServing);
    }
    for (const action of LEAVES_ALONE) expect(decideBoth(action, state)).toEqual(["pass"]);
    expect(decideBoth("DELETE", state)).toEqual([inDelete]);
    expect(decideBoth("SUSPEND", state)).toEqual([inSuspend]);
  });

  it("has a line for every state of a row and a column for every action of a stack", () => {
    expect(TABLE.map(([, state]) => state)).toEqual(["none", ...Object.keys(STATES)]);
    const columns = [...BRINGS_TO_TARGET, ...LEAVES_ALONE, "DELETE", "SUSPEND"];
    expect(columns.toSorted()).toEqual(STACK_ACTIONS.toSorted());
  });
});

describe("P3.1: what else decides", () => {
  const NEVER_CALLED = { type: "" } as const;
  const RETAINED = { retains: true } as const;
  const NOT_CHOSEN = { isChosen: false } as const;
  const NESTS = { nests: true } as const;

  // biome-ignore format: a table is read by its columns
  it.each([
    // rule       action     the row            that                    situation   decision
    ["P7",        "UPDATE",  "CREATE COMPLETE", "must keep its object", RETAINED,   "drop"],
    ["P7",        "DELETE",  "CREATE COMPLETE", "must keep its object", RETAINED,   "drop"],
    ["P7",        "DELETE",  "DELETE FAILED",   "must keep its object", RETAINED,   "drop"],
    ["P3.1, T10", "SUSPEND", "CREATE COMPLETE", "is not chosen",        NOT_CHOSEN, "pass"],
    ["P3.1",      "UPDATE",  "CREATE COMPLETE", "is not chosen",        NOT_CHOSEN, "DELETE"],
    ["P13",       "SUSPEND", "CHECK FAILED",    "is a nested stack",    NESTS,      "SUSPEND"],
    ["P13",       "SUSPEND", "UPDATE FAILED",   "is a nested stack",    NESTS,      "pass"],
    ["P13",       "DELETE",  "CREATE COMPLETE", "is a nested stack",    NESTS,      "DELETE"],
  ] as const)("%s: %s of a row %s that %s", (...line) => {
    const [, action, state, , also, expected] = line;
    expect(decide({ ...situation(action, state), ...also })).toBe(expected);
  });

  it.each(["UPDATE", "DELETE"] as const)(
    "P12: %s drops a row without a type, because no provider was called for it",
    (action) => {
      const of = situation(action, "CREATE FAILED");
      const row = of.row === null ? null : { ...of.row, ...NEVER_CALLED };
      expect(decide({ ...of, row })).toBe("drop");
    },
  );
});

describe("P3.1: what holds in every situation", () => {
  const anySituation = fc.record({
    stackAction: fc.constantFrom(...STACK_ACTIONS),
    traversalId: fc.constant(CURRENT),
    row: fc.constantFrom("none", ...Object.keys(STATES)).map(rowIn),
    isChosen: fc.boolean(),
    nests: fc.boolean(),
    retains: fc.boolean(),
  });

  it("T9: an update never removes a row in service", () => {
    fc.assert(
      fc.property(anySituation, fc.constantFrom(...BRINGS_TO_TARGET), (of, stackAction) => {
        expect(decide(inService({ ...of, stackAction }))).toBe("pass");
      }),
    );
  });

  it("D11: a tombstone stays a tombstone", () => {
    fc.assert(
      fc.property(anySituation, (of) => {
        expect(decide({ ...of, row: rowIn("DELETE COMPLETE") })).toBe("pass");
      }),
    );
  });

  it("P19: the object of a user is never deleted", () => {
    fc.assert(
      fc.property(anySituation, (of) => {
        const row = of.row === null ? null : { ...of.row, externalId: "theirs" };
        expect(decide({ ...of, row })).not.toBe("DELETE");
      }),
    );
  });

  it("T10: a SUSPEND never deletes", () => {
    fc.assert(
      fc.property(anySituation, (of) => {
        expect(["pass", "SUSPEND"]).toContain(decide({ ...of, stackAction: "SUSPEND" }));
      }),
    );
  });

  it("P3.1: a DELETE leaves only rows without an object, and objects that must stay", () => {
    fc.assert(
      fc.property(anySituation, (of) => {
        const decision = decide({ ...of, stackAction: "DELETE" });
        if (!of.retains && of.row !== null && of.row.action !== "INIT") {
          expect(decision).toBe(
            of.row.action === "DELETE" && of.row.status === "COMPLETE" ? "pass" : "DELETE",
          );
        }
      }),
    );
  });
});

/** P3.1: the truth tables of an update node. Read a row from left to right, as in "if … then …". */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideUpdate, type UpdateSituation, underRestrictions } from "#lib/convergence/decide.ts";
import { STACK_ACTIONS, type StackAction } from "#lib/model/action.ts";
import { CONVERGING, rowIn, STATES, TYPES, type TypeName, word } from "./decisions.ts";

/** Nothing differs, and all predecessors are healthy. */
const situation = (stackAction: StackAction, state: string, type: TypeName = "plain") => ({
  stackAction,
  row: rowIn(state),
  isOfType: true,
  type: TYPES[type],
  before: { inPlace: "a", fixed: "b" },
  after: { inPlace: "a", fixed: "b" },
  hasOtherMetadata: false,
  checkFailed: false,
});

const decide = (of: UpdateSituation): string => word(decideUpdate(of));

describe("P3.1: the action of the stack decides first, then the state of the row", () => {
  const TABLE = [
    // the row             CREATE…    ADOPT      CHECK      RESUME    SNAPSHOT
    ["none", "CREATE", "ADOPT", "missing", "pass", "pass"],
    ["INIT", "CREATE", "ADOPT", "missing", "pass", "pass"],
    ["CREATE COMPLETE", "keep", "keep", "CHECK", "RESUME", "SNAPSHOT"],
    ["CREATE FAILED", "replace", "replace", "missing", "pass", "pass"],
    ["UPDATE COMPLETE", "keep", "keep", "CHECK", "RESUME", "SNAPSHOT"],
    ["UPDATE FAILED", "replace", "replace", "missing", "pass", "pass"],
    ["DELETE COMPLETE", "replace", "replace", "missing", "pass", "pass"],
    ["DELETE FAILED", "replace", "replace", "missing", "pass", "pass"],
    ["SUSPEND COMPLETE", "keep", "keep", "CHECK", "RESUME", "SNAPSHOT"],
    ["SUSPEND FAILED", "replace", "replace", "CHECK", "RESUME", "SNAPSHOT"],
    ["RESUME COMPLETE", "keep", "keep", "CHECK", "RESUME", "SNAPSHOT"],
    ["RESUME FAILED", "replace", "replace", "CHECK", "RESUME", "SNAPSHOT"],
    ["CHECK COMPLETE", "keep", "keep", "CHECK", "RESUME", "SNAPSHOT"],
    ["CHECK FAILED", "replace", "replace", "CHECK", "pass", "pass"],
    ["ADOPT COMPLETE", "keep", "keep", "CHECK", "RESUME", "SNAPSHOT"],
    ["ADOPT FAILED", "replace", "replace", "missing", "pass", "pass"],
    ["SNAPSHOT COMPLETE", "keep", "keep", "CHECK", "RESUME", "SNAPSHOT"],
    ["SNAPSHOT FAILED", "replace", "replace", "CHECK", "RESUME", "SNAPSHOT"],
  ] as const;

  it.each(TABLE)("a row %s: %s in an update, %s in an ADOPT, %s, %s, %s in the others", (...of) => {
    const [state, converging, adopt, check, resume, snapshot] = of;
    for (const action of CONVERGING) expect(decide(situation(action, state))).toBe(converging);
    expect(decide(situation("ADOPT", state))).toBe(adopt);
    expect(decide(situation("CHECK", state))).toBe(check);
    expect(decide(situation("RESUME", state))).toBe(resume);
    expect(decide(situation("SNAPSHOT", state))).toBe(snapshot);
    expect(decide(situation("SUSPEND", state))).toBe("pass");
    expect(decide(situation("DELETE", state))).toBe("pass");
  });

  it("has a line for every state of a row and a column for every action of a stack", () => {
    expect(TABLE.map(([state]) => state)).toEqual(["none", ...Object.keys(STATES)]);
    const columns = [...CONVERGING, "ADOPT", "CHECK", "RESUME", "SNAPSHOT", "SUSPEND", "DELETE"];
    expect(columns.toSorted()).toEqual(STACK_ACTIONS.toSorted());
  });
});

describe("P3.1: in an update, the type of the resource decides next", () => {
  const TABLE = [
    // rule           the row             plain      repairable nesting    always new
    ["P3.1", "none", "CREATE", "CREATE", "CREATE", "CREATE"],
    ["case 4", "INIT", "CREATE", "CREATE", "CREATE", "CREATE"],
    ["P3.1, P13", "CREATE COMPLETE", "keep", "keep", "UPDATE", "replace"],
    ["D9", "CREATE FAILED", "replace", "CREATE", "CREATE", "replace"],
    ["P3.1, P13", "UPDATE COMPLETE", "keep", "keep", "UPDATE", "replace"],
    ["D9, T20", "UPDATE FAILED", "replace", "UPDATE", "UPDATE", "replace"],
    ["P3.1", "DELETE COMPLETE", "replace", "replace", "replace", "replace"],
    ["P3.1", "DELETE FAILED", "replace", "replace", "replace", "replace"],
    ["T9", "CHECK FAILED", "replace", "UPDATE", "UPDATE", "replace"],
    ["D9", "SUSPEND FAILED", "replace", "UPDATE", "UPDATE", "replace"],
    ["D9", "ADOPT FAILED", "replace", "UPDATE", "UPDATE", "replace"],
  ] as const;

  it.each(TABLE)("%s: a row %s: %s if plain, %s if repairable, %s, %s", (...of) => {
    const [, state, plain, repairable, nesting, alwaysNew] = of;
    for (const action of CONVERGING) {
      expect(decide(situation(action, state, "plain"))).toBe(plain);
      expect(decide(situation(action, state, "repairable"))).toBe(repairable);
      expect(decide(situation(action, state, "nesting"))).toBe(nesting);
      expect(decide(situation(action, state, "always new"))).toBe(alwaysNew);
    }
  });

  it.each([
    ["RESUME", "plain", "pass"],
    ["RESUME", "nesting", "RESUME"],
    ["SNAPSHOT", "plain", "pass"],
    ["SNAPSHOT", "nesting", "SNAPSHOT"],
    ["CHECK", "plain", "CHECK"],
    ["CHECK", "nesting", "CHECK"],
  ] as const)("P3.1, P13: %s of a %s resource whose CHECK failed: %s", (action, type, expected) => {
    expect(decide(situation(action, "CHECK FAILED", type))).toBe(expected);
  });

  it.each([
    ["CREATE COMPLETE", "replace"],
    ["UPDATE FAILED", "replace"],
    ["INIT", "CREATE"],
    ["none", "CREATE"],
  ])("case 19: a row %s of another type than the target's: %s", (state, expected) => {
    const of = { ...situation("UPDATE", state, "repairable"), isOfType: false };
    expect(decide(of)).toBe(expected);
  });

  it.each([
    ["CREATE COMPLETE", "keep"],
    ["UPDATE FAILED", "replace"],
  ])("P3.1: a row %s of a type that no longer exists: %s", (state, expected) => {
    expect(decide({ ...situation("UPDATE", state), type: null })).toBe(expected);
  });
});

describe("P3.1: in an update of a row in service, the difference decides last", () => {
  const SAME = { inPlace: "a", fixed: "b" };
  const CHANGED = { inPlace: "other", fixed: "b" };
  const FIXED_CHANGED = { inPlace: "a", fixed: "other" };
  const UNRESOLVED = null;

  it.each([
    // rule   type          what differs           after          in service  failed before
    ["P3.1", "repairable", "nothing", SAME, "keep", "UPDATE"],
    ["P3.1", "repairable", "a property", CHANGED, "UPDATE", "UPDATE"],
    ["P3.1", "repairable", "a fixed property", FIXED_CHANGED, "replace", "replace"],
    ["P3.1", "repairable", "what cannot be resolved", UNRESOLVED, "UPDATE", "UPDATE"],
    ["P3.1", "plain", "a property", CHANGED, "UPDATE", "replace"],
    ["P3.1", "plain", "what cannot be resolved", UNRESOLVED, "UPDATE", "replace"],
    ["P3.1", "picky", "nothing", SAME, "keep", "replace"],
    ["P3.1", "picky", "a property", CHANGED, "replace", "replace"],
    ["P13", "nesting", "nothing", SAME, "UPDATE", "UPDATE"],
    ["P13", "nesting", "a fixed property", FIXED_CHANGED, "replace", "replace"],
  ] as const)("%s: of a %s resource %s differs", (...of) => {
    const [, type, , after, inService, afterFailure] = of;
    expect(decide({ ...situation("UPDATE", "CREATE COMPLETE", type), after })).toBe(inService);
    expect(decide({ ...situation("UPDATE", "UPDATE FAILED", type), after })).toBe(afterFailure);
  });

  it("P3.1: other metadata updates a resource that reads it", () => {
    const of = { ...situation("UPDATE", "CREATE COMPLETE"), hasOtherMetadata: true };
    expect(decide(of)).toBe("UPDATE");
  });

  it("P3.1: a row without former properties has no difference", () => {
    expect(decide({ ...situation("UPDATE", "CREATE COMPLETE"), before: null })).toBe("keep");
  });

  it("P4: a repair creates again as long as nothing has ever succeeded", () => {
    const row = { action: "UPDATE", status: "FAILED", type: "Test::Plain" } as const;
    const never = { ...row, templateId: null, updateDone: null };
    const of = situation("UPDATE", "UPDATE FAILED", "repairable");
    expect(decide({ ...of, row: never })).toBe("CREATE");
  });
});

describe("P3.1: what holds in every situation", () => {
  const anySituation = fc.record({
    stackAction: fc.constantFrom(...STACK_ACTIONS),
    row: fc.constantFrom("none", ...Object.keys(STATES)).map(rowIn),
    isOfType: fc.boolean(),
    type: fc.constantFrom(...Object.values(TYPES), null),
    before: fc.constantFrom(null, { inPlace: "a", fixed: "b" }),
    after: fc.constantFrom(null, { inPlace: "a", fixed: "b" }, { inPlace: "c", fixed: "b" }),
    hasOtherMetadata: fc.boolean(),
    checkFailed: fc.boolean(),
  });

  it("T10: SUSPEND and DELETE do nothing in an update node", () => {
    fc.assert(
      fc.property(anySituation, fc.constantFrom("SUSPEND", "DELETE"), (of, stackAction) => {
        expect(decide({ ...of, stackAction })).toBe("pass");
      }),
    );
  });

  it("P3.1: a node behind a failed CHECK is not checked", () => {
    fc.assert(
      fc.property(anySituation, (of) => {
        expect(decide({ ...of, stackAction: "CHECK", checkFailed: true })).toBe("pass");
      }),
    );
  });

  it("P3.1: CHECK, RESUME and SNAPSHOT never change what their action does not name", () => {
    fc.assert(
      fc.property(
        anySituation,
        fc.constantFrom("CHECK", "RESUME", "SNAPSHOT"),
        (of, stackAction) => {
          expect(["pass", "missing", stackAction]).toContain(decide({ ...of, stackAction }));
        },
      ),
    );
  });

  it("P3.1: CREATE, UPDATE, RESTORE and ROLLBACK decide alike", () => {
    fc.assert(
      fc.property(anySituation, (of) => {
        const words = CONVERGING.map((stackAction) => decide({ ...of, stackAction }));
        expect(new Set(words).size).toBe(1);
      }),
    );
  });
});

describe("P3.1: restricted actions", () => {
  const act = (action: "CREATE" | "UPDATE" | "CHECK") => ({ kind: "act", action }) as const;

  it.each([
    // decision                   restricted             comes to
    [act("UPDATE"), ["update"], "refuse"],
    [act("UPDATE"), ["replace"], "UPDATE"],
    [act("CREATE"), ["update", "replace"], "CREATE"],
    [act("CHECK"), ["update", "replace"], "CHECK"],
    [{ kind: "replace" }, ["replace"], "refuse"],
    [{ kind: "replace" }, ["update"], "replace"],
    [{ kind: "keep" }, ["update", "replace"], "keep"],
    [{ kind: "pass" }, ["update", "replace"], "pass"],
  ] as const)("$0 under the restrictions $1: %s", (decision, restricted, expected) => {
    expect(word(underRestrictions(decision, "a", new Set(restricted)))).toBe(expected);
  });

  it("gives Heat's reason", () => {
    expect(underRestrictions({ kind: "replace" }, "a", new Set(["replace"]))).toEqual({
      kind: "refuse",
      reason: "ResourceActionRestricted: resources.a: replace is restricted for resource.",
    });
  });
});

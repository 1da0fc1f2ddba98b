/** P3.1: the truth tables of an update node. Read a row from left to right, as in "if … then …". */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decideUpdate, type UpdateSituation, underRestrictions } from "#lib/convergence/decide.ts";
import { present } from "#lib/errors.ts";
import { STACK_ACTIONS, type StackAction } from "#lib/model/action.ts";
import { CLOUD_TYPES } from "#lib/resources/openstack/catalogue.ts";
import { withoutProvider } from "#lib/resources/openstack/without-provider.ts";
import { CONVERGING, rowIn, SAME_TARGET, STATES, TYPES, type TypeName, word } from "./decisions.ts";

const situation = (stackAction: StackAction, state: string, type: TypeName = "plain") => ({
  stackAction,
  traversalId: "current",
  row: rowIn(state),
  type: TYPES[type],
  ...SAME_TARGET,
});

const decide = (of: UpdateSituation): string => word(decideUpdate(of));

describe("P3.1: the action of the stack decides first, then the state of the row", () => {
  // biome-ignore format: a table is read by its columns
  const TABLE = [
    // rule    the row              update     ADOPT      CHECK      RESUME    SNAPSHOT
    ["P3.1",   "none",              "CREATE",  "ADOPT",   "missing", "pass",   "pass"],
    ["case 4", "INIT",              "CREATE",  "ADOPT",   "missing", "pass",   "pass"],
    ["P3.1",   "CREATE COMPLETE",   "keep",    "keep",    "CHECK",   "RESUME", "SNAPSHOT"],
    ["D9",     "CREATE FAILED",     "replace", "replace", "missing", "pass",   "pass"],
    ["P3.1",   "UPDATE COMPLETE",   "keep",    "keep",    "CHECK",   "RESUME", "SNAPSHOT"],
    ["D9",     "UPDATE FAILED",     "replace", "replace", "missing", "pass",   "pass"],
    ["D11",    "DELETE COMPLETE",   "replace", "replace", "missing", "pass",   "pass"],
    ["D9",     "DELETE FAILED",     "replace", "replace", "missing", "pass",   "pass"],
    ["P3.1",   "SUSPEND COMPLETE",  "keep",    "keep",    "CHECK",   "RESUME", "SNAPSHOT"],
    ["D9",     "SUSPEND FAILED",    "replace", "replace", "CHECK",   "RESUME", "SNAPSHOT"],
    ["P3.1",   "RESUME COMPLETE",   "keep",    "keep",    "CHECK",   "RESUME", "SNAPSHOT"],
    ["D9",     "RESUME FAILED",     "replace", "replace", "CHECK",   "RESUME", "SNAPSHOT"],
    ["P3.1",   "CHECK COMPLETE",    "keep",    "keep",    "CHECK",   "RESUME", "SNAPSHOT"],
    ["P27",    "CHECK FAILED",      "CHECK first", "CHECK first",  "CHECK",   "RESUME", "SNAPSHOT"],
    ["P3.1",   "ADOPT COMPLETE",    "keep",    "keep",    "CHECK",   "RESUME", "SNAPSHOT"],
    ["D9",     "ADOPT FAILED",      "replace", "replace", "missing", "pass",   "pass"],
    ["P3.1",   "SNAPSHOT COMPLETE", "keep",    "keep",    "CHECK",   "RESUME", "SNAPSHOT"],
    ["D9",     "SNAPSHOT FAILED",   "replace", "replace", "CHECK",   "RESUME", "SNAPSHOT"],
  ] as const;

  it.each(TABLE)("%s: a row %s, decided as %s in an update", (...line) => {
    const [, state, converging, adopt, check, resume, snapshot] = line;
    for (const action of CONVERGING) expect(decide(situation(action, state))).toBe(converging);
    expect(decide(situation("ADOPT", state))).toBe(adopt);
    expect(decide(situation("CHECK", state))).toBe(check);
    expect(decide(situation("RESUME", state))).toBe(resume);
    expect(decide(situation("SNAPSHOT", state))).toBe(snapshot);
    expect(decide(situation("SUSPEND", state))).toBe("pass");
    expect(decide(situation("DELETE", state))).toBe("pass");
  });

  it("has a line for every state of a row and a column for every action of a stack", () => {
    expect(TABLE.map(([, state]) => state)).toEqual(["none", ...Object.keys(STATES)]);
    const columns = [...CONVERGING, "ADOPT", "CHECK", "RESUME", "SNAPSHOT", "SUSPEND", "DELETE"];
    expect(columns.toSorted()).toEqual(STACK_ACTIONS.toSorted());
  });
});

describe("P3.1: in an update, the type of the resource decides next", () => {
  // biome-ignore format: a table is read by its columns
  const TABLE = [
    // rule     the row             plain      repairable nesting    always new
    ["P3.1",    "none",             "CREATE",  "CREATE",  "CREATE",  "CREATE"],
    ["case 4",  "INIT",             "CREATE",  "CREATE",  "CREATE",  "CREATE"],
    ["P13",     "CREATE COMPLETE",  "keep",    "keep",    "UPDATE",  "replace"],
    ["D9",      "CREATE FAILED",    "replace", "CREATE",  "CREATE",  "replace"],
    ["P13",     "UPDATE COMPLETE",  "keep",    "keep",    "UPDATE",  "replace"],
    ["D9, T20", "UPDATE FAILED",    "replace", "UPDATE",  "UPDATE",  "replace"],
    ["D11",     "DELETE COMPLETE",  "replace", "replace", "replace", "replace"],
    ["P3.1",    "DELETE FAILED",    "replace", "replace", "replace", "replace"],
    ["P13",     "CHECK COMPLETE",   "keep",    "keep",    "UPDATE",  "replace"],
    ["P27",     "CHECK FAILED",     "CHECK first",  "UPDATE",  "UPDATE",  "replace"],
    ["P13",     "SUSPEND COMPLETE", "keep",    "keep",    "UPDATE",  "replace"],
    ["D9",      "SUSPEND FAILED",   "replace", "UPDATE",  "UPDATE",  "replace"],
    ["D9",      "ADOPT FAILED",     "replace", "UPDATE",  "UPDATE",  "replace"],
  ] as const;

  // biome-ignore format: a table is read by its columns
  it.each([
    // rule     the row             decision
    ["D9",      "CREATE FAILED",    "replace"],
    ["D9, T86", "UPDATE FAILED",    "UPDATE"],
    ["D11",     "DELETE FAILED",    "replace"],
    ["P27",     "CHECK FAILED",     "CHECK first"],
    ["D9",      "SUSPEND FAILED",   "UPDATE"],
    ["D9",      "RESUME FAILED",    "UPDATE"],
    ["D9",      "SNAPSHOT FAILED",  "UPDATE"],
    ["D9",      "ADOPT FAILED",     "replace"],
  ])("%s: a row %s whose type can repair changes: %s", (_, state, expected) => {
    for (const action of CONVERGING) {
      expect(decide(situation(action, state, "changeable"))).toBe(expected);
    }
  });

  it.each(TABLE)("%s: a row %s, decided as %s if plain and %s if repairable", (...line) => {
    const [, state, plain, repairable, nesting, alwaysNew] = line;
    for (const action of CONVERGING) {
      expect(decide(situation(action, state, "plain"))).toBe(plain);
      expect(decide(situation(action, state, "repairable"))).toBe(repairable);
      expect(decide(situation(action, state, "nesting"))).toBe(nesting);
      expect(decide(situation(action, state, "always new"))).toBe(alwaysNew);
    }
  });

  // biome-ignore format: a table is read by its columns
  it.each([
    // rule  action      type       decision
    ["P27",  "RESUME",   "plain",   "RESUME"],
    ["P13",  "RESUME",   "nesting", "RESUME"],
    ["P27",  "SNAPSHOT", "plain",   "SNAPSHOT"],
    ["P13",  "SNAPSHOT", "nesting", "SNAPSHOT"],
    ["P3.1", "CHECK",    "plain",   "CHECK"],
    ["P13",  "CHECK",    "nesting", "CHECK"],
  ] as const)("%s: %s of a %s resource whose CHECK failed: %s", (_, action, type, expected) => {
    expect(decide(situation(action, "CHECK FAILED", type))).toBe(expected);
  });

  // biome-ignore format: a table is read by its columns
  it.each([
    // the row             plain      mending    of another's object
    ["none",               "CREATE",  "CREATE",  "ADOPT"],
    ["CREATE COMPLETE",    "keep",    "UPDATE",  "keep"],
    ["CREATE FAILED",      "replace", "replace", "ADOPT"],
    ["CHECK COMPLETE",     "keep",    "UPDATE",  "keep"],
  ])("P24: a row %s where drift is mended: %s, %s of such a type, %s if external", (state, ...to) => {
    const of = { ...situation("UPDATE", state), mendsDrift: true };
    const type = { ...TYPES.plain, lifecycle: { ...TYPES.plain.lifecycle, updateMendsDrift: true as const } };
    const row = of.row && { ...of.row, externalId: "theirs" };
    const external = { ...of, type, row, externalId: "theirs" };
    expect([decide(of), decide({ ...of, type }), decide(external)]).toEqual(to);
    expect(decide({ ...of, type, mendsDrift: false })).toBe(to[0]);
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

describe("P3.1: in an update, the difference to the target decides last", () => {
  /** The target's properties. The row's are "a" and "b". */
  const TARGETS = {
    same: { inPlace: "a", fixed: "b" },
    "other inPlace": { inPlace: "other", fixed: "b" },
    "other fixed": { inPlace: "a", fixed: "other" },
    unresolved: null,
  };

  // biome-ignore format: a table is read by its columns
  const TABLE = [
    // rule  type          target           in service after a failure
    ["P3.1", "repairable", "same",          "keep",    "UPDATE"],
    ["P3.1", "repairable", "other inPlace", "UPDATE",  "UPDATE"],
    ["P3.1", "repairable", "other fixed",   "replace", "replace"],
    ["P3.1", "repairable", "unresolved",    "UPDATE",  "UPDATE"],
    ["P3.1", "plain",      "same",          "keep",    "replace"],
    ["P3.1", "plain",      "other inPlace", "UPDATE",  "replace"],
    ["P3.1", "plain",      "other fixed",   "replace", "replace"],
    ["P3.1", "plain",      "unresolved",    "UPDATE",  "replace"],
    ["P3.1", "picky",      "same",          "keep",    "replace"],
    ["P3.1", "picky",      "other inPlace", "replace", "replace"],
    ["P3.1", "picky",      "other fixed",   "replace", "replace"],
    ["P3.1", "picky",      "unresolved",    "UPDATE",  "replace"],
    ["P13",  "nesting",    "same",          "UPDATE",  "UPDATE"],
    ["P13",  "nesting",    "other inPlace", "UPDATE",  "UPDATE"],
    ["P13",  "nesting",    "other fixed",   "replace", "replace"],
    ["P13",  "nesting",    "unresolved",    "UPDATE",  "UPDATE"],
  ] as const;

  it.each(TABLE)("%s: a %s resource whose target has %s properties", (...line) => {
    const [, type, target, inService, afterFailure] = line;
    const after = TARGETS[target];
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
    const row = present(rowIn("UPDATE FAILED"), "row");
    const never = { ...row, templateId: null, updateDone: null };
    const of = situation("UPDATE", "UPDATE FAILED", "repairable");
    expect(decide({ ...of, row: never })).toBe("CREATE");
  });

  it("P18: a row whose creation may have made an object is left alone until a user answers", () => {
    const row = { ...present(rowIn("CREATE FAILED"), "row"), outcomeUnknown: true };
    const asked = { ...row, statusReason: "outcome unknown" };
    for (const action of CONVERGING) {
      for (const type of ["repairable", "plain"] as const) {
        const decision = decideUpdate({ ...situation(action, "CREATE FAILED", type), row: asked });
        expect(decision).toEqual({ kind: "refuse", reason: "outcome unknown" });
      }
    }
  });
});

describe("P19: an object of the user", () => {
  // biome-ignore format: a table is read by its columns
  const TABLE = [
    // the row           has       the target names     decision
    ["none",             null,     "theirs",            "ADOPT"],
    ["INIT",             null,     "theirs",            "ADOPT"],
    ["ADOPT COMPLETE",   "theirs", "theirs",            "keep"],
    ["ADOPT FAILED",     "theirs", "theirs",            "ADOPT"],
    ["CHECK FAILED",     "theirs", "theirs",            "ADOPT"],
    ["ADOPT COMPLETE",   "theirs", "another",           "refuse"],
    ["ADOPT COMPLETE",   "theirs", null,                "refuse"],
    ["CREATE COMPLETE",  null,     "theirs",            "refuse"],
    ["ADOPT FAILED",     "theirs", "another",           "replace"],
    ["ADOPT FAILED",     "theirs", null,                "replace"],
    ["CREATE FAILED",    null,     "theirs",            "replace"],
  ] as const;

  it.each(TABLE)(
    "a row %s with %s, and a target with %s: %s",
    (state, has, externalId, decision) => {
      const found = rowIn(state);
      const row = found === null ? null : { ...found, externalId: has };
      for (const type of ["plain", "repairable", "always new"] as const) {
        for (const action of CONVERGING) {
          const of = { ...situation(action, state, type), row, externalId };
          expect(decide({ ...of, after: { inPlace: "c", fixed: "c" } })).toBe(decision);
        }
      }
    },
  );

  it("is another one under another type", () => {
    const row = { ...present(rowIn("ADOPT COMPLETE"), "row"), externalId: "theirs" };
    const of = { ...situation("UPDATE", "ADOPT COMPLETE"), row, isOfType: false };
    expect(decide({ ...of, externalId: "theirs" })).toBe("replace");
  });
});

describe("P3.1: what holds in every situation", () => {
  const anySituation = fc.record({
    stackAction: fc.constantFrom(...STACK_ACTIONS),
    traversalId: fc.constant("current"),
    row: fc.constantFrom("none", ...Object.keys(STATES)).map(rowIn),
    isOfType: fc.boolean(),
    type: fc.constantFrom(...Object.values(TYPES), null),
    before: fc.constantFrom(null, { inPlace: "a", fixed: "b" }),
    after: fc.constantFrom(null, { inPlace: "a", fixed: "b" }, { inPlace: "c", fixed: "b" }),
    hasOtherMetadata: fc.boolean(),
    checkFailed: fc.boolean(),
    externalId: fc.constantFrom(null, "theirs"),
    mendsDrift: fc.boolean(),
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

  it("P3.1: CHECK, RESUME and SNAPSHOT do nothing but what their action names", () => {
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
  const REPLACE = { kind: "replace", why: "property" } as const;
  const act = (action: "CREATE" | "UPDATE" | "CHECK") => ({ kind: "act", action }) as const;

  // biome-ignore format: a table is read by its columns
  it.each([
    // the decision       restricted   becomes
    [act("UPDATE"),       "update",    "refuse"],
    [act("UPDATE"),       "replace",   "UPDATE"],
    [act("CREATE"),       "update",    "CREATE"],
    [act("CREATE"),       "replace",   "CREATE"],
    [act("CHECK"),        "update",    "CHECK"],
    [act("CHECK"),        "replace",   "CHECK"],
    [REPLACE,             "replace",   "refuse"],
    [REPLACE,             "update",    "replace"],
    [{ kind: "keep" },    "update",    "keep"],
    [{ kind: "keep" },    "replace",   "keep"],
  ] as const)("%o under a restricted %s is decided as %s", (decision, restricted, expected) => {
    expect(word(underRestrictions(decision, "a", new Set([restricted])))).toBe(expected);
  });

  it("gives Heat's reason", () => {
    expect(underRestrictions(REPLACE, "a", new Set(["replace"]))).toEqual({
      kind: "refuse",
      reason: "ResourceActionRestricted: resources.a: replace is restricted for resource.",
    });
  });
});

describe("a type that asks for a replacement, such as a port with REPLACE_ALWAYS", () => {
  const port = present(
    CLOUD_TYPES.find(({ type }) => type === "OS::Neutron::Port"),
    "the port",
  );
  const decided = (replacement_policy: string): string => {
    const properties = { network: "n", replacement_policy };
    const unchanged = { before: properties, after: properties };
    const of = situation("UPDATE", "CREATE COMPLETE");
    return decide({ ...of, type: withoutProvider(port), ...unchanged });
  };

  it("is replaced although no property has changed", () => {
    expect(decided("REPLACE_ALWAYS")).toBe("replace");
    expect(decided("AUTO")).toBe("keep");
  });
});

/**
 * The truth table of what each action does with an object in each health (P27). Read a row from
 * left to right, as in "if … then …".
 */
import { describe, expect, it } from "vitest";
import {
  type DecidedRow,
  decideCleanup,
  decideUpdate,
  type UpdateSituation,
} from "#lib/convergence/decide.ts";
import { present } from "#lib/errors.ts";
import { STACK_ACTIONS, type StackAction } from "#lib/model/action.ts";
import { HEALTHS, type HealthState } from "#lib/model/resource.ts";
import type { Handler, ResourceType } from "#lib/ports/resource-type.ts";
import { CONVERGING, rowIn, SAME_TARGET, TYPES, word } from "./decisions.ts";

const done: Handler = async () => ({ state: "finished" });
const { plain, repairable, nesting } = TYPES;

const withLife = (life: Partial<ResourceType["lifecycle"]>): ResourceType => ({
  ...plain,
  lifecycle: { ...plain.lifecycle, ...life },
});

const KINDS = {
  nothing: plain,
  looks: withLife({ handleCheck: done }),
  mends: withLife({ handleCheck: done, updateMendsDrift: true }),
  "mends, starts": withLife({ handleCheck: done, updateMendsDrift: true, handleResume: done }),
  "only starts": withLife({ handleCheck: done, handleResume: done }),
  "always mends": withLife({ ...repairable.lifecycle, handleCheck: done, handleResume: done }),
  nests: nesting,
} satisfies Record<string, ResourceType>;
type Kind = keyof typeof KINDS;

const CURRENT = "current";

const rowOf = (health: HealthState, state = "CHECK FAILED", seenBy = "former"): DecidedRow => ({
  ...present(rowIn(state), "row"),
  health: { state: health, what: "what was seen", seenBy },
});

const situation = (
  stackAction: StackAction,
  kind: Kind,
  row: DecidedRow,
  more: Partial<UpdateSituation> = {},
): UpdateSituation => ({
  stackAction,
  traversalId: CURRENT,
  row,
  type: KINDS[kind],
  ...SAME_TARGET,
  ...more,
});

const update = (kind: Kind, row: DecidedRow, more: Partial<UpdateSituation> = {}): string =>
  word(decideUpdate(situation("UPDATE", kind, row, more)));

const suspend = (row: DecidedRow, nests = false): string =>
  word(
    decideCleanup({
      stackAction: "SUSPEND",
      traversalId: CURRENT,
      row,
      isChosen: true,
      nests,
      retains: false,
    }),
  );

describe("P27: what an update to the same target does", () => {
  // biome-ignore format: a table is read by its columns
  const TABLE = [
    // health         nothing    looks       mends     starts too      only starts     always  nests
    ["as made",       "keep",    "keep",        "keep",   "keep",         "keep",         "keep",       "UPDATE"],
    ["differs",       "replace", "replace",     "UPDATE", "UPDATE",       "replace",      "UPDATE",     "UPDATE"],
    ["stopped",       "replace", "replace",     "UPDATE", "RESUME first", "RESUME first", "UPDATE",     "UPDATE"],
    ["gone",          "replace", "replace",     "replace","replace",      "replace",      "UPDATE",     "UPDATE"],
    ["beyond repair", "replace", "replace",     "replace","replace",      "replace",      "UPDATE",     "UPDATE"],
    ["unknown",       "CHECK first", "CHECK first", "UPDATE", "UPDATE",       "CHECK first",  "UPDATE",     "UPDATE"],
  ] as const;
  const COLUMNS = Object.keys(KINDS);

  it("has a line for every health and a column for every kind of type", () => {
    expect(TABLE.map(([health]) => health)).toEqual([...HEALTHS]);
    for (const [, ...columns] of TABLE) expect(columns).toHaveLength(COLUMNS.length);
  });

  it.each(TABLE)("of an object that is %s", (health, ...expected) => {
    const kinds = Object.keys(KINDS).filter((kind): kind is Kind => kind in KINDS);
    for (const stackAction of CONVERGING) {
      // A later action does not remove the finding, whatever status it leaves.
      for (const state of ["CHECK FAILED", "RESUME COMPLETE", "CREATE COMPLETE"]) {
        const row = rowOf(health, state);
        if (health === "as made" && state === "CHECK FAILED") continue;
        const found = kinds.map((kind) => word(decideUpdate(situation(stackAction, kind, row))));
        expect(found).toEqual(expected);
      }
    }
  });

  it("looks once in a traversal, and neither guesses nor replaces after that", () => {
    const row = rowOf("unknown", "CHECK FAILED", CURRENT);
    expect(update("looks", row)).toBe("refuse");
    const decision = decideUpdate(situation("UPDATE", "looks", row));
    expect(decision).toEqual({
      kind: "refuse",
      reason:
        "Error: resources.r: nobody can tell what has become of its object, so it is neither changed nor replaced: what was seen. If another object is to take its place, mark it with `hearth stack resource mark-unhealthy`.",
    });
  });
});

it("P27: what the update itself has found is not replaced before anybody has heard of it", () => {
  for (const health of ["differs", "stopped", "beyond repair"] as const) {
    const row = rowOf(health, "CHECK FAILED", CURRENT);
    expect(decideUpdate(situation("UPDATE", "looks", row))).toEqual({
      kind: "refuse",
      reason:
        "Error: resources.r: what was seen. No update in place brings it back: the next update deletes this object, and makes another.",
    });
  }
  expect(update("looks", rowOf("gone", "CHECK FAILED", CURRENT))).toBe("replace");
});

describe("P27: what decides before the health", () => {
  const others = { after: { inPlace: "a", fixed: "other" } };

  it.each(HEALTHS.filter((health) => health !== "as made"))(
    "a property that cannot change in place replaces what is %s",
    (health) => {
      expect(update("mends, starts", rowOf(health), others)).toBe("replace");
    },
  );

  it("a property that can change in place is changed after the start", () => {
    const more = { after: { inPlace: "other", fixed: "b" } };
    expect(update("mends, starts", rowOf("stopped"), more)).toBe("RESUME first");
    expect(update("mends, starts", rowOf("differs"), more)).toBe("UPDATE");
    expect(update("mends, starts", rowOf("as made", "CHECK COMPLETE"), more)).toBe("UPDATE");
  });

  it("a change that has failed, for the type says whether that can be repaired", () => {
    expect(update("mends, starts", rowOf("stopped", "UPDATE FAILED"))).toBe("replace");
    expect(update("always mends", rowOf("gone", "UPDATE FAILED"))).toBe("UPDATE");
  });
});

describe("P27: an update that converges", () => {
  // biome-ignore format: a table is read by its columns
  it.each([
    // kind            as made        differs        stopped         after its own look
    ["nothing",        "keep",        "replace",     "replace",      "keep"],
    ["looks",          "keep",        "replace",     "replace",      "keep"],
    ["mends",          "UPDATE",      "UPDATE",      "UPDATE",       "UPDATE"],
    ["mends, starts",  "CHECK first", "CHECK first", "CHECK first",  "UPDATE"],
    ["only starts",    "keep",        "replace",     "RESUME first", "keep"],
    ["always mends",   "keep",        "UPDATE",      "UPDATE",       "keep"],
    ["nests",          "UPDATE",      "UPDATE",      "UPDATE",       "UPDATE"],
  ] as const)("of a type that can do this: %s", (kind, asMade, differs, stopped, looked) => {
    const more = { mendsDrift: true };
    const made = rowOf("as made", "CREATE COMPLETE");
    expect(update(kind, made, more)).toBe(asMade);
    expect(update(kind, rowOf("differs"), more)).toBe(differs);
    expect(update(kind, rowOf("stopped"), more)).toBe(stopped);
    expect(update(kind, rowOf("as made", "CHECK COMPLETE", CURRENT), more)).toBe(looked);
  });

  it("starts what its own look has found stopped", () => {
    const row = rowOf("stopped", "CHECK FAILED", CURRENT);
    expect(update("mends, starts", row, { mendsDrift: true })).toBe("RESUME first");
  });
});

describe("P27: what the other verbs do", () => {
  // biome-ignore format: a table is read by its columns
  const TABLE = [
    // health          CHECK    SUSPEND    RESUME    SNAPSHOT
    ["as made",       "CHECK", "SUSPEND", "RESUME", "SNAPSHOT"],
    ["differs",       "CHECK", "SUSPEND", "RESUME", "SNAPSHOT"],
    ["stopped",       "CHECK", "SUSPEND", "RESUME", "SNAPSHOT"],
    ["gone",          "CHECK", "pass",    "pass",   "pass"],
    ["beyond repair", "CHECK", "SUSPEND", "RESUME", "SNAPSHOT"],
    ["unknown",       "CHECK", "SUSPEND", "RESUME", "SNAPSHOT"],
  ] as const;

  it.each(TABLE)("with an object that is %s", (health, check, suspended, resume, snapshot) => {
    for (const kind of ["nothing", "mends, starts", "always mends"] as const) {
      const decide = (action: StackAction) =>
        word(decideUpdate(situation(action, kind, rowOf(health))));
      expect(decide("CHECK")).toBe(check);
      expect(decide("RESUME")).toBe(resume);
      expect(decide("SNAPSHOT")).toBe(snapshot);
    }
    expect(suspend(rowOf(health))).toBe(suspended);
  });

  it("a nested stack has rows with healths of their own, so its own counts for nothing", () => {
    const row = rowOf("gone");
    expect(word(decideUpdate(situation("RESUME", "nests", row)))).toBe("RESUME");
    expect(suspend(row, true)).toBe("SUSPEND");
  });

  it("a delete asks for no health", () => {
    for (const health of HEALTHS) {
      const of = {
        stackAction: "DELETE",
        traversalId: CURRENT,
        row: rowOf(health),
        isChosen: true,
        nests: false,
        retains: false,
      } as const;
      expect(word(decideCleanup(of))).toBe("DELETE");
    }
  });
});

describe("P27: a row of a former version", () => {
  const former = (checkFailed: boolean): DecidedRow => ({
    ...present(rowIn("CHECK FAILED"), "row"),
    statusReason: "CheckError: resources.r: it has another size",
    checkFailed,
  });

  it("that failed its CHECK has a health that nobody knows", () => {
    expect(update("mends", former(true))).toBe("UPDATE");
    expect(update("looks", former(true))).toBe("CHECK first");
  });

  it("that a user has marked is replaced", () => {
    expect(update("mends", former(false))).toBe("replace");
    expect(update("looks", former(false))).toBe("replace");
  });
});

it("P27: only an update that brings a stack to its target takes a step", () => {
  for (const action of STACK_ACTIONS.filter((one) => !CONVERGING.some((each) => each === one))) {
    if (action === "ADOPT") continue;
    for (const health of HEALTHS) {
      const of = situation(action, "mends, starts", rowOf(health), { mendsDrift: true });
      expect(decideUpdate(of).kind).not.toBe("step");
    }
  }
});

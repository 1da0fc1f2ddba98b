import { DISK, MACHINE } from "#test/unit/provider/machines.ts";
import { type Ask, type Done, isUpdate, type Life, type Move, type Part } from "./life.ts";

export interface Before {
  readonly parts: readonly Part[];
  readonly isSuspended: boolean;
  readonly isDeleted: boolean;
  readonly isHidden: boolean;
  readonly last: Move | undefined;
}

export const faultOf = (life: Life, ask: Ask, before: Before, done: Done): string | null =>
  deletedTooMuch(ask, before, done) ??
  refusedWrongly(ask, before, done) ??
  (ask.amid === undefined
    ? endedWrongly(life, ask, before, done)
    : cancelledWrongly(life, ask, before, done));

const deletedTooMuch = ({ verb, amid }: Ask, before: Before, { calls, called }: Done) => {
  if (verb === "delete") return null;
  const deleted = new Set(called.filter((_, at) => calls[at] === "DELETE"));
  for (const [of, { type, id, object, health, isDue }] of before.parts.entries()) {
    if (object === undefined || !deleted.has(id) || health === "beyond repair") continue;
    if (amid !== undefined && "drift" in amid && amid.drift === "vanishes" && amid.of === of) {
      continue;
    }
    const isSeen = health === "differs" || health === "stopped";
    const cannotChange = type === DISK && (isSeen || isDue || verb === "grow");
    if (!cannotChange) return `it deletes the object of m${of}, which is ${health}`;
  }
  return null;
};

/** Update, resume and delete must be accepted after every end of a request. */
const refusedWrongly = ({ verb }: Ask, before: Before, { state }: Done): string | null => {
  const { isSuspended, isDeleted } = before;
  const mayBeRefused =
    isDeleted || (isUpdate(verb) && isSuspended) || (verb === "resume" && !isSuspended);
  return state === null && !mayBeRefused && verb !== "mark" ? "it is refused" : null;
};

const runs = ({ type, object }: Part): boolean => type === MACHINE && object?.runs === true;
const isOff = ({ type, object }: Part): boolean => type === MACHINE && object?.runs === false;
const isFine = (part: Part): boolean => part.isAsWanted && part.object?.runs === true;

const cancelledWrongly = (
  life: Life,
  { verb, amid }: Ask,
  before: Before,
  { state, reason }: Done,
): string | null => {
  if (state === null || amid === undefined || !("cancel" in amid)) return null;
  if (state.endsWith("IN_PROGRESS")) return "it does not end";
  const hasRolledBack = state.startsWith("ROLLBACK");
  if (hasRolledBack && amid.cancel !== "cancel_update") return "it rolls back";
  const wasWell = before.parts.every((part) => isFine(part) && part.health === "as made");
  const isWell = wasWell && !before.isHidden;
  if (isWell && state === "ROLLBACK_FAILED") return `${state}: ${reason}`;
  const areThere = life.parts().every(({ object }) => object !== undefined);
  if (isWell && !areThere && verb !== "grow") return "an object has gone";
  const isBack = state === "ROLLBACK_COMPLETE" && !life.parts().every(isFine);
  return isWell && isBack ? "it is not as before" : null;
};

const endedWrongly = (life: Life, ask: Ask, before: Before, done: Done): string | null => {
  const { verb } = ask;
  const { state, reason } = done;
  if (state === null || verb === "mark") return null;
  const parts = life.parts();
  const isForgotten = before.parts.some(({ health }, of) => {
    const now = parts[of];
    return health === "differs" && now?.health === "as made" && now.object && !now.isAsMade;
  });
  if (isForgotten) return "it is forgotten";
  switch (verb) {
    case "delete":
      return state === "DELETE_COMPLETE" && life.machines.size === 0 ? null : `${state}: ${reason}`;
    case "suspend":
      if (state !== "SUSPEND_COMPLETE") return `${state}: ${reason}`;
      return parts.some(runs) && !reason.includes("not suspended") ? "it runs" : null;
    case "resume":
      if (state !== "RESUME_COMPLETE") return `${state}: ${reason}`;
      return parts.some(isOff) ? "it is off" : null;
    case "check":
      return checkedWrongly(life, before, done);
    default:
      return updatedWrongly(life, ask, before, done) ?? foreseenWrongly(life, ask, before, done);
  }
};

const checkedWrongly = (life: Life, before: Before, { state, calls }: Done): string | null => {
  const parts = life.parts();
  // A check does not look at what depends on something that has drifted.
  const isCut = calls.length < parts.length && state === "CHECK_FAILED";
  if (calls.length === 0 || isCut) return null;
  const isWell = parts.every((part) => {
    const isAsleep = life.isSuspended() && part.object?.runs === false;
    return part.object !== undefined && (isAsleep || (part.isAsMade && part.object.runs));
  });
  const wanted = isWell && !before.isHidden ? "CHECK_COMPLETE" : "CHECK_FAILED";
  return state === wanted ? null : `${state}, and not ${wanted}`;
};

const ASKS = ["nobody can tell", "the next update deletes this object"] as const;

const updatedWrongly = (
  life: Life,
  { verb }: Ask,
  { parts: before, last, isHidden }: Before,
  { state, reason }: Done,
): string | null => {
  const parts = life.parts();
  const isKept = before.some(
    ({ health, id }, of) => health === "beyond repair" && parts[of]?.id === id,
  );
  if (isKept && state === "UPDATE_COMPLETE") return "what a user has marked is kept";
  if (state === "UPDATE_FAILED" && ASKS.some((one) => reason.includes(one))) return null;
  const wasGone = state === "UPDATE_FAILED" && reason.includes("takes no update");
  if (state !== "UPDATE_COMPLETE" && !(wasGone && verb !== "converge")) {
    return `${state}: ${reason}`;
  }
  const isChecked = last !== undefined && "verb" in last && last.verb === "check";
  const isWhole = isChecked && last.amid === undefined;
  const isFailing = parts.some(({ type, health }, of) => {
    const converges = verb === "converge" && type === MACHINE && !isHidden;
    const wasSeen = isWhole && before[of]?.health !== "unknown" && !isHiddenBy(before, of);
    const part = parts[of];
    return health !== null && (converges || wasSeen) && part !== undefined && !isFine(part);
  });
  return isFailing ? "the object is not as wanted" : null;
};

const isHiddenBy = (before: readonly Part[], of: number): boolean =>
  before.slice(0, of).some(({ health }) => health !== "as made");

const foreseenWrongly = (life: Life, { verb }: Ask, before: Before, done: Done): string | null => {
  const { foreseen, called, state } = done;
  if (foreseen === null) return "it has no preview";
  const parts = life.parts();
  for (const [of, { id }] of before.parts.entries()) {
    const one = foreseen[of];
    if (one === undefined) continue;
    const isMade = parts[of]?.id !== id;
    // An update does not visit what depends on a resource that fails.
    const isVisited = of === 0 || state === "UPDATE_COMPLETE";
    if (one.kind === "replaced" && !isMade && isVisited)
      return `m${of} was to be replaced, and is not`;
    if (one.kind === "unchanged" && called.includes(id)) return `m${of} was to be left alone`;
    if (one.kind !== "updated" || !isMade) continue;
    const isOpen = OPEN.some((word) => one.reason.includes(word));
    if (!isOpen && verb !== "grow") return `m${of} was to be updated, and is made anew`;
  }
  return null;
};

/** A preview with one of these words leaves the decision to the visit. */
const OPEN = ["its type decides", "looked at first", "whatever it has", "repaired", "started"];

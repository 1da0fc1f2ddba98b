/**
 * P27, searched: every order of requests, with an object that changes, stops, vanishes or hides at
 * any moment. A life is played anew for each move, and a state that was seen is not gone on from.
 */
import {
  type Ask,
  type Done,
  DRIFTS,
  type Kind,
  type Life,
  type Move,
  openLife,
  VERBS,
  type Verb,
} from "./life.ts";

export interface Searched {
  readonly states: number;
  readonly moves: number;
  /** The first, with the moves that lead to it. Null: there is none. */
  readonly violation: string | null;
}

/** Requests in a life. */
export const REQUESTS_MAX = 5;

const AMID: readonly Verb[] = ["suspend", "resume", "update", "converge"];

const MOVES: readonly Move[] = [
  ...VERBS.map((verb): Move => ({ verb })),
  ...DRIFTS.map((drift): Move => ({ drift })),
  ...AMID.flatMap((verb) =>
    DRIFTS.filter((drift) => drift !== "hides").map((amid): Move => ({ verb, amid })),
  ),
];

const wordOf = (move: Move): string => {
  if ("drift" in move) return `it ${move.drift}`;
  return move.amid === undefined ? move.verb : `${move.verb} (it ${move.amid} meanwhile)`;
};

const play = async (kind: Kind, path: readonly Move[]): Promise<Life> => {
  const life = await openLife(kind);
  for (const move of path) {
    if ("drift" in move) life.drift(move.drift);
    else await life.ask(move);
  }
  return life;
};

interface Before {
  readonly health: ReturnType<Life["health"]>;
  readonly isSuspended: boolean;
  readonly isDeleted: boolean;
  /** The next look is going to fail. */
  readonly isHidden: boolean;
  readonly hadObject: boolean;
  readonly last: Move | undefined;
}

/** What went wrong with a request. Null: nothing. */
const faultOf = (kind: Kind, life: Life, ask: Ask, before: Before, done: Done): string | null =>
  deletedTooMuch(kind, ask, before, done) ??
  refusedWrongly(ask, before, done) ??
  (ask.amid === undefined ? endedWrongly(kind, life, ask, before, done) : null);

/** No object is deleted that could be repaired. */
const deletedTooMuch = (kind: Kind, { verb, amid }: Ask, before: Before, done: Done) => {
  if (verb === "delete" || !done.calls.includes("DELETE")) return null;
  if (!before.hadObject || amid === "vanishes") return null;
  if (before.health === "beyond repair") return null;
  const isSeen = before.health === "differs" || before.health === "stopped";
  const cannotChange = kind === "disk" && (isSeen || verb === "grow");
  return cannotChange ? null : `it deletes an object that is ${before.health}`;
};

/** Each order ends where each of update, resume and delete works. */
const refusedWrongly = ({ verb }: Ask, before: Before, { state }: Done): string | null => {
  const { isSuspended, isDeleted } = before;
  const isUpdate = verb === "update" || verb === "grow" || verb === "converge";
  const mayBeRefused =
    isDeleted || (isUpdate && isSuspended) || (verb === "resume" && !isSuspended);
  return state === null && !mayBeRefused && verb !== "mark" ? "it is refused" : null;
};

const endedWrongly = (
  kind: Kind,
  life: Life,
  { verb }: Ask,
  before: Before,
  { state, reason, calls, foreseen }: Done,
): string | null => {
  if (state === null || verb === "mark") return null;
  const object = life.object();
  const isForgotten = before.health === "differs" && life.health() === "as made";
  if (isForgotten && object !== undefined && !life.isAsWanted(true)) return "it is forgotten";
  switch (verb) {
    case "delete":
      return state === "DELETE_COMPLETE" && life.machines.size === 0 ? null : `${state}: ${reason}`;
    case "suspend":
      if (state !== "SUSPEND_COMPLETE") return `${state}: ${reason}`;
      return kind === "machine" && object?.runs === true && !reason.includes("not suspended")
        ? "it runs"
        : null;
    case "resume":
      if (state !== "RESUME_COMPLETE") return `${state}: ${reason}`;
      return kind === "machine" && object?.runs === false ? "it is off" : null;
    case "check": {
      // A resource without an object is not asked about. What is off is not compared.
      if (calls.length === 0) return null;
      const isOff = life.isSuspended() && object?.runs === false;
      const isFine = isOff || life.isAsWanted(false);
      const isThere = object !== undefined;
      const wanted = isFine && isThere && !before.isHidden ? "CHECK_COMPLETE" : "CHECK_FAILED";
      return state === wanted ? null : `${state}, and not ${wanted}`;
    }
    default:
      return (
        updatedWrongly(kind, life, verb, before, { state, reason, calls, foreseen }) ??
        foreseenWrongly(verb, calls, foreseen)
      );
  }
};

const updatedWrongly = (
  kind: Kind,
  life: Life,
  verb: Verb,
  { last, isHidden, health }: Before,
  { state, reason, calls }: Pick<Done, "state" | "reason" | "calls" | "foreseen">,
): string | null => {
  const isMarked = health === "beyond repair" && state === "UPDATE_COMPLETE";
  if (isMarked && !calls.includes("CREATE")) return "what a user has marked is kept";
  const isAsked =
    reason.includes("nobody can tell") || reason.includes("the next update deletes this object");
  if (state === "UPDATE_FAILED" && isAsked) return null;
  const wasGone = state === "UPDATE_FAILED" && reason.includes("takes no update");
  if (state !== "UPDATE_COMPLETE" && !(wasGone && verb !== "converge"))
    return `${state}: ${reason}`;
  const isChecked = last !== undefined && "verb" in last && last.verb === "check";
  const isKnown =
    (verb === "converge" && kind === "machine" && !isHidden) ||
    (isChecked && last.amid === undefined && health !== "unknown");
  return isKnown && !life.isAsWanted(false) ? "the object is not as wanted" : null;
};

/** What check says is what the preview says, and what the update does. */
const foreseenWrongly = (verb: Verb, calls: Done["calls"], foreseen: Done["foreseen"]) => {
  if (foreseen === null) return "it has no preview";
  const isMade = calls.includes("CREATE");
  const { kind, reason } = foreseen;
  if (kind === "replaced") return isMade ? null : "it was to be replaced, and is not";
  if (kind === "unchanged") return calls.length === 0 ? null : "it was to be left alone";
  const isOpen = reason.includes("looked at first") || reason.includes("whatever it has");
  const decides = reason.includes("its type decides") || verb === "grow" || isOpen;
  return isMade && !decides && !reason.includes("repaired") && !reason.includes("started")
    ? "it was to be updated, and is made anew"
    : null;
};

interface Open {
  readonly path: readonly Move[];
  readonly requests: number;
}

export const search = async (kind: Kind, requestsMax = REQUESTS_MAX): Promise<Searched> => {
  const seen = new Set([(await play(kind, [])).key()]);
  const open: Open[] = [{ path: [], requests: 0 }];
  let moves = 0;
  for (const { path, requests } of open) {
    for (const move of MOVES) {
      const isRequest = "verb" in move;
      if (isRequest && requests === requestsMax) continue;
      if (!isRequest && path.at(-1) !== undefined && "drift" in (path.at(-1) ?? {})) continue;
      moves += 1;
      const life = await play(kind, path);
      if (isRequest) {
        const before: Before = {
          health: life.health(),
          isSuspended: life.isSuspended(),
          isDeleted: life.isDeleted(),
          isHidden: life.isHidden(),
          hadObject: life.object() !== undefined,
          last: path.at(-1),
        };
        const done = await life.ask(move);
        const fault = faultOf(kind, life, move, before, done);
        if (fault !== null) {
          const told = [...path, move].map(wordOf).join(" > ");
          return { states: seen.size, moves, violation: `${kind}: ${told}: ${fault}` };
        }
      } else life.drift(move.drift);
      const key = life.key();
      if (seen.has(key)) continue;
      seen.add(key);
      open.push({ path: [...path, move], requests: requests + (isRequest ? 1 : 0) });
    }
  }
  return { states: seen.size, moves, violation: null };
};

/**
 * Searches P27: every order of requests, with objects that change, stop, vanish or hide at any
 * moment. Each state is kept with a backup, so that a move costs one request. A state that was seen
 * before is not explored again. States are explored in the order of their numbers of requests.
 */
import { type Before, faultOf } from "./faults.ts";
import {
  CANCELS,
  type Drift,
  isUpdate,
  type Kind,
  type Life,
  type Move,
  openLife,
  typesOf,
  VERBS,
  type Verb,
} from "./life.ts";

export interface Searched {
  readonly states: number;
  readonly moves: number;
  readonly violation: string | null;
}

export const REQUESTS_MAX = 5;

const DRIFTS: readonly Drift[] = ["differs", "stops", "vanishes"];
const AMID: readonly Verb[] = ["suspend", "resume", "update", "converge"];

const cancelsOf = (parts: number): readonly Move[] =>
  VERBS.filter(isUpdate).flatMap((verb) =>
    CANCELS.flatMap((cancel) =>
      // The first message prepares. Each resource has one more message, of which the last may be
      // done.
      Array.from({ length: parts }, (_, at) => ({ verb, amid: { cancel, messages: at + 1 } })),
    ),
  );

const movesOf = (kind: Kind, isWhole: boolean): readonly Move[] => {
  const places = typesOf(kind).map((_, of) => of);
  const drifts = places.flatMap((of) => DRIFTS.map((drift) => ({ drift, of })));
  return [
    ...VERBS.flatMap((verb): readonly Move[] =>
      verb === "mark" ? places.map((of) => ({ verb, of })) : [{ verb }],
    ),
    ...drifts,
    { drift: "hides", of: 0 },
    ...(isWhole ? AMID.flatMap((verb) => drifts.map((amid): Move => ({ verb, amid }))) : []),
    ...cancelsOf(places.length),
  ];
};

const happening = ({ drift, of }: { readonly drift: Drift; readonly of: number }): string =>
  `m${of} ${drift}`;

const wordOf = (move: Move): string => {
  if ("drift" in move) return happening(move);
  const { verb, of, amid } = move;
  const asked = of === undefined ? verb : `${verb} m${of}`;
  if (amid === undefined) return asked;
  if (!("cancel" in amid)) return `${asked} (${happening(amid)} meanwhile)`;
  return `${asked} (${amid.cancel} after ${amid.messages} messages)`;
};

interface Open {
  readonly path: readonly Move[];
  readonly restore: () => void;
}

const beforeOf = (life: Life, path: readonly Move[]): Before => ({
  parts: life.parts(),
  isSuspended: life.isSuspended(),
  isDeleted: life.isDeleted(),
  isHidden: life.isHidden(),
  last: path.at(-1),
});

/** Drifts of two objects at one moment have one order, and an object has one drift. */
const isNext = (move: Move, last: Move | undefined, isWhole: boolean): boolean =>
  !("drift" in move) || last === undefined || !("drift" in last) || (isWhole && last.of < move.of);

/** A request that is refused is not tried again with events meanwhile. */
const isRefused = (move: Move, refused: ReadonlySet<Verb>): boolean =>
  !("drift" in move) && move.amid !== undefined && refused.has(move.verb);

const tryOut = async (
  life: Life,
  path: readonly Move[],
  move: Move,
  refused: Set<Verb>,
): Promise<string | null> => {
  if ("drift" in move) {
    life.drift(move);
    return null;
  }
  const before = beforeOf(life, path);
  const done = await life.ask(move);
  if (done.state === null) refused.add(move.verb);
  return faultOf(life, move, before, done);
};

/** Unless `isWhole`, one object drifts between two requests, and none during a request. */
export const search = async (
  kind: Kind,
  requestsMax = REQUESTS_MAX,
  isWhole = true,
): Promise<Searched> => {
  const moves = movesOf(kind, isWhole);
  const life = await openLife(kind);
  const seen = new Set([life.key()]);
  let tried = 0;
  let open: Open[] = [{ path: [], restore: life.backUp() }];
  for (let requests = 0; open.length > 0; requests += 1) {
    const next: Open[] = [];
    for (const { path, restore } of open) {
      const refused = new Set<Verb>();
      for (const move of moves) {
        const isSpent = !("drift" in move) && requests === requestsMax;
        if (isSpent || !isNext(move, path.at(-1), isWhole) || isRefused(move, refused)) continue;
        tried += 1;
        restore();
        const fault = await tryOut(life, path, move, refused);
        const way = [...path, move];
        if (fault !== null) {
          const told = way.map(wordOf).join(" > ");
          return { states: seen.size, moves: tried, violation: `${kind}: ${told}: ${fault}` };
        }
        const key = life.key();
        if (seen.has(key)) continue;
        seen.add(key);
        ("drift" in move ? open : next).push({ path: way, restore: life.backUp() });
      }
    }
    open = next;
  }
  return { states: seen.size, moves: tried, violation: null };
};

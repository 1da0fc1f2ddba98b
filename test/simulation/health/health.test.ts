import { expect, it } from "vitest";
import type { Kind } from "./life.ts";
import { REQUESTS_MAX, search } from "./search.ts";

/** The limit allows for a busy machine. Alone each search takes some ten seconds. */
const SEARCH_MS_MAX = 900_000;

/** Two resources have more states, so their lives are shorter than in `npm run prove`. */
const REQUESTS_OF_TWO = 2;

it.each<[Kind, number, boolean]>([
  ["machine", REQUESTS_MAX, true],
  ["disk", REQUESTS_MAX, true],
  ["disk after a machine", REQUESTS_OF_TWO, false],
  ["machine after a disk", REQUESTS_OF_TWO, false],
])(
  "P27: no order of requests deletes what could be repaired, or wedges the stack of a %s",
  async (kind, requests, isWhole) => {
    const { states, moves, violation } = await search(kind, requests, isWhole);
    console.log(`${kind}: ${states} states, ${moves} moves`);
    expect(violation).toBeNull();
    expect(states).toBeGreaterThan(50);
  },
  SEARCH_MS_MAX,
);

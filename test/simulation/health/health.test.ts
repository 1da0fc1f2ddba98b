import { expect, it } from "vitest";
import { search } from "./search.ts";

/** On a busy machine. Alone it takes a minute or two. */
const SEARCH_MS_MAX = 900_000;

it.each(["machine", "disk"] as const)(
  "P27: no order of requests deletes what could be repaired, or wedges the stack of a %s",
  async (kind) => {
    const { states, moves, violation } = await search(kind);
    console.log(`${kind}: ${states} states, ${moves} moves`);
    expect(violation).toBeNull();
    expect(states).toBeGreaterThan(50);
  },
  SEARCH_MS_MAX,
);

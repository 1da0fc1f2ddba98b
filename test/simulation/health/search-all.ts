/** `npm run prove -- --health N`: the whole search, with lives of N requests and every drift. */
import { KINDS } from "./life.ts";
import { search } from "./search.ts";

/** How many stacks have a life that breaks P27. */
export const searchHealth = async (requests: number): Promise<number> => {
  let broken = 0;
  for (const kind of KINDS) {
    const { states, moves, violation } = await search(kind, requests);
    console.log(
      `health of a ${kind}: ${states} states, ${moves} moves, ${violation ?? "no fault"}`,
    );
    if (violation !== null) broken += 1;
  }
  return broken;
};

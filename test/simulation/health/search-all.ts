/** `npm run prove -- --health N` searches lives of N requests, with every drift. */
import { KINDS } from "./life.ts";
import { search } from "./search.ts";

/** @returns the number of kinds of stacks that have a life which breaks P27. */
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

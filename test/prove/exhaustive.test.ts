import { describe, expect, it } from "vitest";
import type { Configuration } from "./configuration.ts";
import { configurations } from "./configurations.ts";
import { Search } from "./search.ts";

/** This is the bounded form of `npm run prove`, so larger searches stop here. */
const STATES_OF_ONE_MAX = 15_000;

const all = configurations();
const startingWith = (start: string): readonly Configuration[] =>
  all.filter(({ title }) => title.startsWith(start));

let states = 0;

describe("from every reachable state of the real engine the good end can be reached, and every invariant holds", () => {
  it.each([
    ["one resource, each fault", startingWith("1 node"), 120],
    ["one resource that waits for a signal", startingWith("1 waiting"), 15],
    ["one resource at rest for long, each fault", startingWith("1 node at rest"), 16],
    ["two resources, each fault", startingWith("2 nodes"), 60],
    ["one slow resource that is to be deleted", startingWith("delete at once"), 9],
    ["a delete that waits for its server", startingWith("waiting delete"), 88],
    ["one or two resources whose folder is restored", startingWith("restored"), 20],
    ["one resource whose first wait is short", startingWith("kept lease"), 34],
    ["two resources, one of them kept after a failed change", startingWith("repaired"), 15],
    ["a few resources of which an update changes some", startingWith("partial, "), 60],
  ] as const)("%s", async (_, some, count) => {
    for (const config of some.slice(0, count)) {
      const search = await Search.of(config);
      const { violation, states: met } = await search.run({ statesMax: STATES_OF_ONE_MAX });
      expect(violation, config.title).toBeNull();
      states += met;
    }
  });

  it("meets more than a million states", () => {
    expect(states).toBeGreaterThan(1_000_000);
  });
});

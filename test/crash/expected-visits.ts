/**
 * What a partial update must visit (P24), computed a second time: from the test's own definitions
 * and without the engine's code.
 */
import type { Definition, PartialVersion } from "./partial-target.ts";

export interface Expected {
  readonly visited: ReadonlySet<string>;
  readonly replaced: ReadonlySet<string>;
  readonly added: ReadonlySet<string>;
  readonly removed: ReadonlySet<string>;
}

/**
 * An update visits what differs, what refers to that, and what is between two of them. It leaves
 * out what only waits for one of them.
 */
export const expectedOf = (before: PartialVersion, now: PartialVersion): Expected => {
  const former = new Map(before.definitions.map((one) => [one.name, one]));
  const names = new Set(now.definitions.map(({ name }) => name));
  const removed = new Set([...former.keys()].filter((name) => !names.has(name)));
  const news = now.definitions.filter((one) => former.get(one.name) !== one);
  const visited = new Set(news.map(({ name }) => name));
  for (const one of now.definitions) {
    // The members of a family are in the order of their references.
    if (one.refers !== null && visited.has(one.refers)) visited.add(one.name);
  }
  const all = [...before.definitions, ...now.definitions];
  const ends = new Set([...visited, ...removed]);
  const waitsFor = (name: string): readonly string[] => [
    ...new Set(
      all
        .filter((one) => one.name === name)
        .flatMap(({ refers, after }) => [...(refers === null ? [] : [refers]), ...after]),
    ),
  ];
  const reaches = (name: string): boolean =>
    waitsFor(name).some((other) => ends.has(other) || reaches(other));
  const above = new Set<string>();
  const climb = (name: string): void => {
    for (const other of waitsFor(name)) {
      above.add(other);
      climb(other);
    }
  };
  for (const name of ends) climb(name);
  for (const name of names) if (above.has(name) && reaches(name)) visited.add(name);
  return {
    visited,
    removed,
    replaced: new Set(news.filter((one) => replacesFormer(former, one)).map(({ name }) => name)),
    added: new Set([...names].filter((name) => !former.has(name))),
  };
};

const replacesFormer = (former: ReadonlyMap<string, Definition>, one: Definition): boolean => {
  const old = former.get(one.name);
  return old !== undefined && old.replacedIn !== one.replacedIn;
};

/**
 * The targets of partial updates (P24): families of five resources each. An update changes one or
 * two resources. Some refer to each other, and some only wait.
 */
import type { JsonObject } from "#lib/json.ts";
import type { Random } from "#lib/ports/ports.ts";
import type { Expected } from "./expected-visits.ts";
import type { WantedResource } from "./whole-target.ts";

/**
 * The rows must stay below the number of template records that they may keep, because an update
 * beyond it visits everything.
 */
const FAMILIES = 6;
const WAIT_MS_MEAN = 4_000;
/** Creations and deletes take this fraction of an update's time. */
const OTHER_WAIT_PART = 0.05;

export const CHANGES = ["replaced", "added", "changed", "removed", "both ends", "leaf"] as const;
export type Change = (typeof CHANGES)[number];

export interface Definition {
  readonly name: string;
  readonly refers: string | null;
  readonly after: readonly string[];
  /** The version that last changed the resource's own value. */
  readonly changedIn: number;
  readonly replacedIn: number;
  readonly waitSecs: number;
}

export interface PartialVersion {
  readonly definitions: readonly Definition[];
}

const family = (random: Random, number: number): readonly Definition[] => {
  const one = (part: string, refers: string | null, after: readonly string[]): Definition => ({
    name: `${part}_${number}`,
    refers: refers === null ? null : `${refers}_${number}`,
    after: after.map((other) => `${other}_${number}`),
    changedIn: 0,
    replacedIn: 0,
    waitSecs: random.below(2 * WAIT_MS_MEAN) / 1_000,
  });
  return [
    one("root", null, []),
    one("user", "root", []),
    one("far", "user", []),
    one("after", null, ["root"]),
    one("last", null, ["after"]),
  ];
};

export const firstVersion = (random: Random): PartialVersion => ({
  definitions: Array.from({ length: FAMILIES }, (_, number) => family(random, number)).flat(),
});

const isExtra = ({ name }: Definition): boolean => name.startsWith("extra_");

export const nextVersion = (
  random: Random,
  { definitions }: PartialVersion,
  version: number,
  changes: readonly Change[],
): PartialVersion => {
  const first = random.below(FAMILIES);
  return {
    definitions: changes.reduce(
      (all, change, at) => changed(random, all, version, change, (first + at) % FAMILIES),
      definitions,
    ),
  };
};

const changed = (
  random: Random,
  all: readonly Definition[],
  version: number,
  change: Change,
  number: number,
): readonly Definition[] => {
  const [root, last] = [`root_${number}`, `last_${number}`];
  const withOwn = (names: readonly string[], own: Partial<Definition>) =>
    all.map((one) => (names.includes(one.name) ? { ...one, changedIn: version, ...own } : one));
  switch (change) {
    case "changed":
      return withOwn([root], {});
    case "replaced":
      return withOwn([root], { replacedIn: version });
    case "leaf":
      return withOwn([last], {});
    case "both ends":
      return withOwn([root, last], {});
    case "removed":
      return all.filter((one) => !isExtra(one));
    case "added": {
      const waitSecs = random.below(2 * WAIT_MS_MEAN) / 1_000;
      const name = `extra_${version}`;
      const own = { changedIn: version, replacedIn: 0, waitSecs };
      return [...all, { name, refers: root, after: [last], ...own }];
    }
  }
};

const valueIn = ({ name, changedIn }: Definition): string => `version ${changedIn} of ${name}`;

const documentOf = (one: Definition): JsonObject => {
  const { refers, after, replacedIn, changedIn, waitSecs } = one;
  const other = waitSecs * OTHER_WAIT_PART;
  const references =
    refers === null
      ? {}
      : { client_name: { get_resource: refers }, entity_name: { get_attr: [refers, "output"] } };
  return {
    type: "OS::Heat::TestResource",
    properties: {
      // A resource that refers to another has its value, so it takes its time whenever that
      // changes.
      value: refers === null || isExtra(one) ? valueIn(one) : { get_attr: [refers, "output"] },
      update_replace_value: `version ${replacedIn}`,
      action_wait_secs: {
        create: changedIn === 0 ? other : waitSecs,
        update: waitSecs,
        delete: other,
      },
      ...references,
    },
    ...(after.length === 0 ? {} : { depends_on: [...after] }),
  };
};

export const templateOf = ({ definitions }: PartialVersion): JsonObject => ({
  heat_template_version: "2016-10-14",
  resources: Object.fromEntries(definitions.map((one) => [one.name, documentOf(one)])),
});

export const wantedOf = (
  { definitions }: PartialVersion,
  { replaced, added }: Expected,
): readonly WantedResource[] => {
  const byName = new Map(definitions.map((one) => [one.name, one]));
  const finalValue = (one: Definition): string => {
    const source = isExtra(one) ? undefined : byName.get(one.refers ?? "");
    return source === undefined ? valueIn(one) : finalValue(source);
  };
  return definitions.map((one) => {
    const source = byName.get(one.refers ?? "");
    const kept = replaced.has(one.name) ? "replaced" : "same";
    return {
      name: one.name,
      fate: added.has(one.name) ? "swapped" : kept,
      value: finalValue(one),
      client: one.refers,
      entityName: source === undefined ? null : finalValue(source),
    };
  });
};

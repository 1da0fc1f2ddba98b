/**
 * The crash test's targets: a stack of fifty TestResources in ten layers. From one version to the
 * next some are replaced, removed, added or unchanged, and the rest change in place. Most refer to
 * others by id and attribute.
 */
import type { JsonObject } from "#lib/json.ts";
import type { Random } from "#lib/ports/ports.ts";

export const RESOURCES = 50;
const LAYERS = 10;
const LAYER_WIDTH = RESOURCES / LAYERS;
/** Creations and deletes take this fraction of an update's time. */
const OTHER_WAIT_PART = 0.2;

/** "swapped": every version replaces the resource by one of another name. */
type Fate = "changed" | "replaced" | "swapped" | "same";
const FATES: readonly Fate[] = [
  ...Array.from({ length: 14 }, () => "replaced" as const),
  ...Array.from({ length: 10 }, () => "swapped" as const),
  ...Array.from({ length: 6 }, () => "same" as const),
  ...Array.from({ length: 20 }, () => "changed" as const),
];

interface Place {
  readonly index: number;
  readonly fate: Fate;
  readonly knows: { readonly byId: number; readonly byAttribute: number } | null;
  readonly waitSecs: number;
}

export interface WantedResource {
  readonly name: string;
  readonly fate: Fate;
  readonly value: string;
  readonly client: string | null;
  readonly entityName: string | null;
}

export interface Target {
  template(version: number): JsonObject;
  resources(version: number): readonly WantedResource[];
  readonly createdByUpdate: number;
}

const shuffled = <T>(random: Random, list: readonly T[]): readonly T[] =>
  list
    .map((item) => ({ item, order: random.below(2 ** 31) }))
    .sort((left, right) => left.order - right.order)
    .map(({ item }) => item);

const placesOf = (random: Random, waitMsMean: number): readonly Place[] =>
  shuffled(random, FATES).map((fate, index) => {
    const layerStart = index - (index % LAYER_WIDTH);
    const above = () => layerStart - LAYER_WIDTH + random.below(LAYER_WIDTH);
    return {
      index,
      fate,
      knows: layerStart === 0 ? null : { byId: above(), byAttribute: above() },
      waitSecs: random.below(2 * waitMsMean) / 1_000,
    };
  });

const nameOf = ({ index, fate }: Place, version: number): string =>
  fate === "swapped" ? `guest_${version}_${index}` : `member_${index}`;

const valueIn = (place: Place, version: number): string =>
  place.fate === "same" ? "always the same" : `version ${version} of ${nameOf(place, version)}`;

export const makeTarget = (random: Random, waitMsMean: number): Target => {
  const places = placesOf(random, waitMsMean);
  const named = (index: number, version: number): string =>
    places[index] ? nameOf(places[index], version) : "";

  const definitionOf = (place: Place, version: number): JsonObject => {
    const { fate, knows, waitSecs } = place;
    const other = waitSecs * OTHER_WAIT_PART;
    // An unchanged resource must not refer to one whose id or attribute changes.
    const references =
      knows && fate !== "same"
        ? {
            client_name: { get_resource: named(knows.byId, version) },
            entity_name: { get_attr: [named(knows.byAttribute, version), "output"] },
          }
        : {};
    return {
      type: "OS::Heat::TestResource",
      properties: {
        value: valueIn(place, version),
        action_wait_secs: { create: other, update: waitSecs, delete: other },
        ...(fate === "replaced" ? { update_replace_value: `version ${version}` } : {}),
        ...references,
      },
      ...(knows && fate === "same" ? { depends_on: [named(knows.byId, version)] } : {}),
    };
  };

  const wanted = (place: Place, version: number): WantedResource => {
    const knows = place.fate === "same" ? null : place.knows;
    const source = knows ? places[knows.byAttribute] : undefined;
    return {
      name: nameOf(place, version),
      fate: place.fate,
      value: valueIn(place, version),
      client: knows ? named(knows.byId, version) : null,
      entityName: source ? valueIn(source, version) : null,
    };
  };

  return {
    template: (version) => ({
      heat_template_version: "2016-10-14",
      resources: Object.fromEntries(
        places.map((place) => [nameOf(place, version), definitionOf(place, version)]),
      ),
    }),
    resources: (version) => places.map((place) => wanted(place, version)),
    createdByUpdate: places.filter(({ fate }) => fate === "replaced" || fate === "swapped").length,
  };
};

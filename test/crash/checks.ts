import type { WireEvent } from "#client/wire.ts";
import { type ProviderObject, type Row, type RowsView, STACK_NAME } from "./looks.ts";
import type { WantedResource } from "./whole-target.ts";

export interface Check {
  readonly name: string;
  readonly wrong: readonly string[];
}

export interface World {
  readonly objects: readonly ProviderObject[];
  readonly rows: RowsView;
  readonly messages: number;
  readonly creations: number;
}

const wrongNames = (
  what: string,
  found: readonly string[],
  wanted: readonly string[],
): readonly string[] => {
  const timesIn = (names: readonly string[], name: string) =>
    names.filter((other) => other === name).length;
  return [...new Set([...found, ...wanted])]
    .filter((name) => timesIn(found, name) !== timesIn(wanted, name))
    .map((name) => `${timesIn(found, name)} ${what} of ${name}, not ${timesIn(wanted, name)}`);
};

const expectEqual = <T extends number | string>(what: string, found: T, wanted: T) =>
  found === wanted ? [] : [`${what}: ${found} instead of ${wanted}`];

const wrongProperties = (
  wanted: readonly WantedResource[],
  objects: readonly ProviderObject[],
): readonly string[] => {
  const byName = new Map(objects.map((object) => [object.logical_name, object]));
  return wanted.flatMap((resource) => {
    const properties = byName.get(resource.name)?.properties ?? {};
    const client = resource.client === null ? undefined : byName.get(resource.client)?.physical_id;
    return [
      ...expectEqual(`value of ${resource.name}`, String(properties["value"]), resource.value),
      ...expectEqual(
        `client_name of ${resource.name}`,
        String(properties["client_name"]),
        client ?? "",
      ),
      ...expectEqual(
        `entity_name of ${resource.name}`,
        String(properties["entity_name"]),
        resource.entityName ?? "",
      ),
    ];
  });
};

const wrongRows = (rows: readonly Row[], objects: readonly ProviderObject[]): readonly string[] => {
  const owned = new Map(rows.map((row) => [row.physical_id, row]));
  const unknown = objects.filter(
    (object) => owned.get(object.physical_id)?.name !== object.logical_name,
  );
  return [
    ...wrongNames("rows", namesOfRows(rows), namesOf(objects)),
    ...unknown.map((object) => `no row knows ${object.physical_id} of ${object.logical_name}`),
    ...rows
      .filter(({ status }) => status !== "COMPLETE")
      .map(({ name, action, status }) => `${name} is ${action}_${status}`),
  ];
};

const namesOf = (objects: readonly ProviderObject[]): readonly string[] =>
  objects.map((object) => object.logical_name);
const namesOfRows = (rows: readonly Row[]): readonly string[] => rows.map(({ name }) => name);

const wrongLeftovers = ({ rows, messages }: World): readonly string[] => [
  ...expectEqual("sync points", rows.leftovers.sync_points, 0),
  ...expectEqual("locks", rows.leftovers.locks, 0),
  ...expectEqual("messages", messages, 0),
];

/** Replaced resources have a new object. All others that are still wanted keep theirs. */
const wrongIdentities = (
  wanted: readonly WantedResource[],
  before: readonly ProviderObject[],
  after: readonly ProviderObject[],
): readonly string[] => {
  const idsBefore = new Map(before.map((object) => [object.logical_name, object.physical_id]));
  const idsAfter = new Map(after.map((object) => [object.logical_name, object.physical_id]));
  return wanted
    .filter(({ fate }) => fate !== "swapped")
    .filter(({ name, fate }) => {
      const isSame = idsBefore.get(name) === idsAfter.get(name);
      return isSame === (fate === "replaced");
    })
    .map(
      ({ name, fate }) => `${name} was ${fate}: ${idsBefore.get(name)} -> ${idsAfter.get(name)}`,
    );
};

export const checkVersion = (
  wanted: readonly WantedResource[],
  creations: number,
  before: readonly ProviderObject[] | null,
  world: World,
): readonly Check[] => [
  {
    name: "the provider holds one object for each resource, and no other",
    wrong: wrongNames(
      "objects",
      namesOf(world.objects),
      wanted.map(({ name }) => name),
    ),
  },
  {
    name: "no object was created twice, not even a deleted one",
    wrong: expectEqual("objects ever created", world.creations, creations),
  },
  { name: "every property is the target's", wrong: wrongProperties(wanted, world.objects) },
  { name: "each object is known to its row", wrong: wrongRows(world.rows.rows, world.objects) },
  { name: "no lock, sync point or message is left", wrong: wrongLeftovers(world) },
  ...(before === null
    ? []
    : [
        {
          name: "resources that were not replaced still have the same object",
          wrong: wrongIdentities(wanted, before, world.objects),
        },
      ]),
];

export const checkNothing = (world: World): readonly Check[] => [
  {
    name: "the deleted stack has left no object behind",
    wrong: wrongNames("objects", namesOf(world.objects), []),
  },
  {
    name: "the deleted stack has left no row behind",
    wrong: world.rows.rows.map(({ name, action, status }) => `${name} is ${action}_${status}`),
  },
  {
    name: "the deleted stack has left no lock, sync point or message behind",
    wrong: wrongLeftovers(world),
  },
];

const countOf = (events: readonly WireEvent[], name: string, status: string): number =>
  events.filter((event) => event.resource_name === name && event.resource_status === status).length;

/**
 * Events are written after the rows. A kill in between must neither lose one nor write it twice.
 */
export const checkEvents = (events: readonly WireEvent[], updates: number): Check => ({
  name: "each update has one event for its start and one for its end",
  wrong: [
    ...expectEqual("events", events.length, new Set(events.map(({ id }) => id)).size),
    ...["UPDATE_IN_PROGRESS", "UPDATE_COMPLETE"].flatMap((status) =>
      expectEqual(`events ${status}`, countOf(events, STACK_NAME, status), updates),
    ),
  ],
});

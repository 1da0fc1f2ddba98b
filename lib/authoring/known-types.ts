/** The types of Hearth with their schemas, for those who make nothing of them. Needs no host. */
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { builtInTypes } from "#lib/resources/registry.ts";
import { unusedBackEnds } from "./unused-ports.ts";

/** Sorted by name, with the hidden ones. A type only wants to be bound: nothing calls it. */
export const knownTypes = (): readonly ResourceType[] => {
  const { ports, ...backEnds } = unusedBackEnds();
  const engine = { ...ports, resourceTypes: { get: async () => null, names: () => [] } };
  const types = builtInTypes({ engine, ...backEnds });
  return [...types.values()].toSorted((one, other) => (one.type < other.type ? -1 : 1));
};

import type { ResourceType } from "#lib/ports/resource-type.ts";
import { builtInTypes } from "#lib/resources/registry.ts";
import { unusedBackEnds } from "./unused-ports.ts";

/** Sorted by name, including hidden types. Nothing calls their handlers. */
export const knownTypes = (): readonly ResourceType[] => {
  const { ports, ...backEnds } = unusedBackEnds();
  const engine = { ...ports, resourceTypes: { get: async () => null, names: () => [] } };
  const types = builtInTypes({ engine, ...backEnds });
  return [...types.values()].toSorted((one, other) => (one.type < other.type ? -1 : 1));
};

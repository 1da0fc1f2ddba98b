import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceTypes } from "#lib/ports/resource-type.ts";

/** The engine's own types call the engine, so its ports and the registry need each other. */
export const withResourceTypes = (
  ports: Omit<Ports, "resourceTypes">,
  bind: (engine: Ports) => ResourceTypes,
): Ports => {
  const engine: Ports = {
    ...ports,
    resourceTypes: {
      get: (name) => types.get(name),
      names: () => types.names(),
      whyMissing: (name) => types.whyMissing?.(name) ?? null,
    },
  };
  const types = bind(engine);
  return engine;
};

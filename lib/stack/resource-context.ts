/** Cuts the context of one resource's handlers out of the engine's ports. */
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceContext } from "#lib/ports/resource-type.ts";
import { type Owner, resourcePrefix, sealedPlace } from "./stored-places.ts";

export const resourceContext = (
  { clock, ids, blobs, cipher }: Pick<Ports, "clock" | "ids" | "blobs" | "cipher">,
  { tenant, stackId, id }: Owner & { readonly id: string },
): ResourceContext => {
  const prefix = `${resourcePrefix(stackId)}${id}/`;
  return {
    clock,
    ids,
    blobs: {
      put: (key, text) => blobs.put(prefix + key, text),
      get: (key) => blobs.get(prefix + key),
      delete: (key) => blobs.delete(prefix + key),
    },
    sealConfig: (configId, content) =>
      cipher.seal(
        sealedPlace({ tenant, stackId }, "configs.content", configId),
        JSON.stringify(content),
      ),
  };
};

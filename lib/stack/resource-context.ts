/** Cuts the context of one resource's handlers out of the engine's ports. */
import type { Blobs, Ports } from "#lib/ports/ports.ts";
import type { ResourceContext } from "#lib/ports/resource-type.ts";
import { resourcePrefix, sealedPlace } from "./stored-places.ts";

/** What the context is cut out of. */
type Sources = Pick<Ports, "clock" | "ids" | "blobs" | "cipher">;

interface ResourceIdentity {
  readonly tenant: string;
  readonly stackId: string;
  readonly id: string;
}

export const resourceContext = (
  { clock, ids, blobs, cipher }: Sources,
  { tenant, stackId, id }: ResourceIdentity,
): ResourceContext => ({
  clock,
  ids,
  blobs: blobsUnder(`${resourcePrefix(stackId)}${id}/`, blobs),
  sealConfig: (configId, content) =>
    cipher.seal(
      sealedPlace({ tenant, stackId }, "configs.content", configId),
      JSON.stringify(content),
    ),
});

const blobsUnder = (prefix: string, blobs: Blobs): ResourceContext["blobs"] => ({
  put: (key, text) => blobs.put(prefix + key, text),
  get: (key) => blobs.get(prefix + key),
  delete: (key) => blobs.delete(prefix + key),
});

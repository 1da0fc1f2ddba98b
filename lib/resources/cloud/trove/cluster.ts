import * as z from "zod/mini";
import type { JsonObject } from "#lib/json.ts";
import type { Refusal } from "#lib/model/checked-definition.ts";
import type { TypeRules } from "#lib/resources/cloud/declared-type.ts";
import { conflictOf } from "#lib/resources/cloud/refusals.ts";
import { EITHER_NETWORK_OR_PORT, networksSchema, refuseDatastore } from "./database-checks.ts";

const instancesSchema = z.array(z.object({ networks: networksSchema }));

const validate = (given: JsonObject): Refusal | null => {
  const wrong = refuseDatastore(given);
  if (wrong !== null) return wrong;
  const networks = instancesSchema.parse(given["instances"]).flatMap((one) => one.networks);
  for (const { network, port } of networks) {
    if (network === undefined && port === undefined) return EITHER_NETWORK_OR_PORT;
    if (network !== undefined && port !== undefined) return conflictOf("network", "port");
  }
  return null;
};

export const troveCluster: TypeRules = {
  validate,
};

import * as z from "zod/mini";
import type { JsonObject } from "#lib/json.ts";
import { jsonObject } from "#lib/json-schema.ts";
import type { Refusal } from "#lib/model/checked-definition.ts";
import type { ServiceRules } from "#lib/resources/cloud/declared-type.ts";
import { isGiven, isSet } from "#lib/resources/cloud/given-values.ts";
import { conflictOf, noneOf } from "#lib/resources/cloud/refusals.ts";

const propertiesSchema = z.object({
  restart_policy: z._default(z.string(), ""),
  mounts: z._default(z.array(jsonObject), []),
  networks: z._default(z.array(jsonObject), []),
});

const RESTART_POLICY = /^(?:no|always|unless-stopped|on-failure(?::[^:]*)?)?$/s;

const refuseMount = (mount: JsonObject, name: string): Refusal | null => {
  if (!isGiven(mount, "volume_id") && !isGiven(mount, "volume_size")) {
    return `One of the properties "volume_id" or "volume_size" should be set for the specified mount of container "${name}".`;
  }
  return isSet(mount, "volume_id") && isSet(mount, "volume_size")
    ? conflictOf("networks/volume_id", "networks/volume_size")
    : null;
};

const refuseNetwork = (network: JsonObject): Refusal | null => {
  const hasPort = isGiven(network, "port");
  if (!isGiven(network, "network") && !hasPort) return noneOf("network", "port");
  return isSet(network, "fixed_ip") && hasPort
    ? conflictOf("networks.fixed_ip", "networks.port")
    : null;
};

const refuseContainer = (given: JsonObject, name: string): Refusal | null => {
  const { restart_policy: policy, mounts, networks } = propertiesSchema.parse(given);
  if (!RESTART_POLICY.test(policy)) {
    return `restart_policy "${policy}" is invalid. Valid values are "no", "on-failure[:max-retry]", "always", and "unless-stopped".`;
  }
  for (const mount of mounts) {
    const wrong = refuseMount(mount, name);
    if (wrong !== null) return wrong;
  }
  for (const network of networks) {
    const wrong = refuseNetwork(network);
    if (wrong !== null) return wrong;
  }
  return null;
};

export const ZUN_RULES: ServiceRules = {
  "OS::Zun::Container": { validate: refuseContainer },
};

import * as z from "zod/mini";
import { propertyConflict, propertyUnspecified } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import { jsonObject } from "#lib/json-schema.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import type { ServiceRules } from "#lib/resources/cloud/declared-type.ts";
import { isGiven, isSet } from "#lib/resources/cloud/given-values.ts";

const propertiesSchema = z.object({
  restart_policy: z._default(z.string(), ""),
  mounts: z._default(z.array(jsonObject), []),
  networks: z._default(z.array(jsonObject), []),
});

const RESTART_POLICY = /^(?:no|always|unless-stopped|on-failure(?::[^:]*)?)?$/s;

const refuseMount = (mount: JsonObject, name: string): Problem => {
  if (!isGiven(mount, "volume_id") && !isGiven(mount, "volume_size")) {
    return `One of the properties "volume_id" or "volume_size" should be set for the specified mount of container "${name}".`;
  }
  return isSet(mount, "volume_id") && isSet(mount, "volume_size")
    ? propertyConflict("networks/volume_id", "networks/volume_size")
    : null;
};

const refuseContainerNetwork = (network: JsonObject): Problem => {
  const hasPort = isGiven(network, "port");
  if (!isGiven(network, "network") && !hasPort) return propertyUnspecified("network", "port");
  return isSet(network, "fixed_ip") && hasPort
    ? propertyConflict("networks.fixed_ip", "networks.port")
    : null;
};

const refuseContainer = (given: JsonObject, name: string): Problem => {
  const { restart_policy: policy, mounts, networks } = propertiesSchema.parse(given);
  if (!RESTART_POLICY.test(policy)) {
    return `restart_policy "${policy}" is invalid. Valid values are "no", "on-failure[:max-retry]", "always", and "unless-stopped".`;
  }
  for (const mount of mounts) {
    const wrong = refuseMount(mount, name);
    if (wrong !== null) return wrong;
  }
  for (const network of networks) {
    const wrong = refuseContainerNetwork(network);
    if (wrong !== null) return wrong;
  }
  return null;
};

export const ZUN_RULES: ServiceRules = {
  "OS::Zun::Container": { validate: refuseContainer },
};

import type { Json, JsonObject } from "#lib/json.ts";
import type { ServiceRules } from "#lib/resources/cloud/declared-type.ts";
import { member } from "#lib/template/json-shape.ts";

const DRIVERS = new Map<Json | undefined, string>([
  ["kubernetes", "cinder"],
  ["swarm", "rexray"],
  ["mesos", "rexray"],
]);

const refuseVolumeDriver = (given: JsonObject): string | null => {
  const engine = member(given, "coe");
  const driver = member(given, "volume_driver");
  const supported = DRIVERS.get(engine);
  // The engine may depend on another resource. Heat fails here with a KeyError instead.
  if (supported === undefined || driver === undefined || driver === supported) return null;
  return `Volume driver type ${driver} is not supported by COE:${engine}, expecting a ['${supported}'] volume driver.`;
};

export const MAGNUM_RULES: ServiceRules = {
  "OS::Magnum::BayModel": { validate: refuseVolumeDriver },
  "OS::Magnum::ClusterTemplate": { validate: refuseVolumeDriver },
};

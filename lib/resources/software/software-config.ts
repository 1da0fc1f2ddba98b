import type { ResourceType } from "#lib/ports/resource-type.ts";
import { OWN_TYPE } from "#lib/resources/call-limits.ts";
import {
  deleteConfig,
  groupOf,
  groupProperty,
  ioProblem,
  ioProperties,
  storeConfig,
} from "./config-properties.ts";

/** OS::Heat::SoftwareConfig: immutable, so any change makes another one, and whatever deploys it is updated. */
export const softwareConfig: ResourceType = {
  ...OWN_TYPE,
  type: "OS::Heat::SoftwareConfig",
  description: "A script or manifest, with the inputs and outputs that a deployment of it has.",
  properties: {
    ...groupProperty,
    config: { type: "string", description: "The script or manifest." },
    ...ioProperties,
  },
  attributes: { config: { description: "The script or manifest." } },
  validate: ioProblem,
  handleCreate: async (call, ports) => {
    const { config } = call.properties;
    const text = typeof config === "string" ? config : "";
    return storeConfig(call, ports, { group: groupOf(call), config: text }, { config: text });
  },
  handleDelete: deleteConfig,
};

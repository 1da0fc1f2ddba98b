import type { ResourceType } from "#lib/ports/resource-type.ts";
import { UNGROUPED } from "#lib/software-config/derive-config.ts";
import { OWN_TYPE } from "./call-limits.ts";
import { deleteConfig, ioProblem, ioProperties, storeConfig } from "./config-properties.ts";

/** OS::Heat::SoftwareConfig: immutable, so any change makes another one, and whatever deploys it is updated. */
export const softwareConfig: ResourceType = {
  ...OWN_TYPE,
  type: "OS::Heat::SoftwareConfig",
  description: "A script or manifest, with the inputs and outputs that a deployment of it has.",
  properties: {
    group: {
      type: "string",
      description: "The tool, as the server's agent calls it, that applies the configuration.",
      default: UNGROUPED,
    },
    config: { type: "string", description: "The script or manifest." },
    ...ioProperties,
  },
  attributes: { config: { description: "The script or manifest." } },
  validate: ioProblem,
  handleCreate: async (call, ports) => {
    const { group, config } = call.properties;
    const text = typeof config === "string" ? config : "";
    const content = { group: typeof group === "string" ? group : UNGROUPED, config: text };
    return storeConfig(call, ports, content, { config: text });
  },
  handleDelete: deleteConfig,
};

import type { ResourceType } from "#lib/ports/resource-type.ts";
import type { SoftwareConfigStore } from "#lib/ports/software-config-store.ts";
import { OWN_LIFECYCLE } from "#lib/resources/lifecycles.ts";
import {
  deleteConfig,
  groupOf,
  groupProperty,
  ioProblem,
  ioProperties,
  storeConfig,
} from "./config-properties.ts";

/** OS::Heat::SoftwareConfig: immutable, so a change replaces it and updates its deployments. */
export const softwareConfig = (configs: SoftwareConfigStore): ResourceType => ({
  type: "OS::Heat::SoftwareConfig",
  schema: {
    description: "A script or manifest, with the inputs and outputs of its deployments.",
    properties: {
      ...groupProperty,
      config: { type: "string", description: "The script or manifest." },
      ...ioProperties,
    },
    attributes: { config: { description: "The script or manifest." } },
    validate: ioProblem,
  },
  lifecycle: {
    ...OWN_LIFECYCLE,
    handleCreate: async (call, context) => {
      const { config } = call.properties;
      const text = typeof config === "string" ? config : "";
      const content = { group: groupOf(call), config: text };
      return storeConfig(configs, call, context, content, { config: text });
    },
    handleDelete: deleteConfig(configs),
  },
});

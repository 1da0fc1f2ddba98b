import { isJsonObject } from "#lib/json.ts";
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

/** OS::Heat::StructuredConfig: a SoftwareConfig whose content is a map. */
export const structuredConfig = (configs: SoftwareConfigStore): ResourceType => ({
  type: "OS::Heat::StructuredConfig",
  schema: {
    description: "Structured data for a configuration tool that reads JSON or YAML.",
    properties: {
      ...groupProperty,
      config: { type: "map", description: "The data." },
      ...ioProperties,
    },
    attributes: { config: { description: "The data." } },
    validate: ioProblem,
  },
  lifecycle: {
    ...OWN_LIFECYCLE,
    handleCreate: async (call, context) => {
      const { config } = call.properties;
      const data = isJsonObject(config) ? config : {};
      const content = { group: groupOf(call), config: data };
      return storeConfig(configs, call, context, content, { config: data });
    },
    handleDelete: deleteConfig(configs),
  },
});

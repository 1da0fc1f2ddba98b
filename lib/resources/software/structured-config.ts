import { isJsonObject } from "#lib/json.ts";
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

/** OS::Heat::StructuredConfig: as SoftwareConfig, but of a map, which stays one all the way to the server. */
export const structuredConfig: ResourceType = {
  ...OWN_TYPE,
  type: "OS::Heat::StructuredConfig",
  description: "Structured data for a configuration tool that reads JSON or YAML.",
  properties: {
    ...groupProperty,
    config: { type: "map", description: "The data." },
    ...ioProperties,
  },
  attributes: { config: { description: "The data." } },
  validate: ioProblem,
  handleCreate: async (call, ports) => {
    const { config } = call.properties;
    const data = isJsonObject(config) ? config : {};
    return storeConfig(call, ports, { group: groupOf(call), config: data }, { config: data });
  },
  handleDelete: deleteConfig,
};

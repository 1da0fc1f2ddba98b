import { isJsonObject } from "#lib/json.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { OWN_TYPE } from "#lib/resources/call-limits.ts";
import { deleteConfig, storeConfig } from "#lib/resources/software/config-properties.ts";
import { UNGROUPED } from "#lib/software-config/configs/derive-config.ts";
import { cloudConfigText } from "./cloud-config-text.ts";

/** OS::Heat::CloudConfig: a cloud-init configuration, written as a map and stored as the text that cloud-init reads. */
export const cloudConfig: ResourceType = {
  ...OWN_TYPE,
  type: "OS::Heat::CloudConfig",
  description: "A configuration for cloud-init.",
  properties: {
    cloud_config: { type: "map", description: "The configuration, to be written as YAML." },
  },
  attributes: { config: { description: "The text for cloud-init." } },
  handleCreate: async (call, ports) => {
    const { cloud_config: given } = call.properties;
    const config = cloudConfigText(isJsonObject(given) ? given : null);
    return storeConfig(call, ports, { group: UNGROUPED, config }, { config });
  },
  handleDelete: deleteConfig,
};

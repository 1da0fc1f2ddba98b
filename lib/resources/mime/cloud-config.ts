import { isJsonObject } from "#lib/json.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import type { SoftwareConfigStore } from "#lib/ports/software-config-store.ts";
import { storeConfig, storing } from "#lib/resources/software/config-properties.ts";
import { UNGROUPED } from "#lib/software-config/configs/derive-config.ts";
import { cloudConfigText } from "./cloud-config-text.ts";

export const cloudConfig = (configs: SoftwareConfigStore): ResourceType => ({
  type: "OS::Heat::CloudConfig",
  schema: {
    description: "A configuration for cloud-init.",
    support: { since: "2014.1" },
    properties: {
      cloud_config: { type: "map", description: "The configuration. It is written as YAML." },
    },
    attributes: { config: { description: "The text for cloud-init.", type: "string" } },
  },
  ...storing(configs, async (call, context) => {
    const { cloud_config: given } = call.properties;
    const config = cloudConfigText(isJsonObject(given) ? given : null);
    return storeConfig(configs, call, context, { group: UNGROUPED, config }, { config });
  }),
});

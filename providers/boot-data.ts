/** How a server boots: what the host knows of it, as the property `hearth_boot`. */
import type { JsonObject, PropertySchemas } from "#provider/provider.ts";
import { isObject, textOf } from "./values.ts";

const BOOT = "hearth_boot";

/** The host adds it to a template's properties. */
export const BOOT_PROPERTY: PropertySchemas = {
  [BOOT]: { type: "map", default: {}, updateAllowed: true, secret: true },
};

export interface BootData {
  /** Empty: none. */
  readonly userData: string;
  /** What cfn-init and os-collect-config read at the boot of an OpenStack image. Null: nothing. */
  readonly cfnInitData: string | null;
  /** Where the agent polls. Null: no agent. It is signed, so it is a secret. */
  readonly metadataUrl: string | null;
}

/** The template's user data may be the id of a config, so the host's counts even if it is empty. */
export const bootDataOf = (properties: JsonObject): BootData => {
  const given = properties[BOOT];
  const boot = isObject(given) ? given : {};
  return {
    userData: textOf(boot["user_data"] ?? properties["user_data"]),
    cfnInitData: textOf(boot["cfn_init_data"]) || null,
    metadataUrl: textOf(boot["metadata_url"]) || null,
  };
};

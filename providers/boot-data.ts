import type { JsonObject, PropertySchemas } from "#provider/provider.ts";
import { isObject, textOf } from "./values.ts";

const BOOT = "hearth_boot";

export const BOOT_PROPERTY: PropertySchemas = {
  [BOOT]: { type: "map", default: {}, updateAllowed: true, secret: true },
};

export interface BootData {
  readonly userData: string;
  readonly cfnInitData: string | null;
  /** The URL that the agent polls, or null without an agent. It is signed, so it is a secret. */
  readonly metadataUrl: string | null;
}

/** The template's user data may be the id of a config, so the host's text counts even if empty. */
export const bootDataOf = (properties: JsonObject): BootData => {
  const given = properties[BOOT];
  const boot = isObject(given) ? given : {};
  return {
    userData: textOf(boot["user_data"] ?? properties["user_data"]),
    cfnInitData: textOf(boot["cfn_init_data"]) || null,
    metadataUrl: textOf(boot["metadata_url"]) || null,
  };
};

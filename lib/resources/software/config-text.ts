/** As in Heat, some properties contain a text, or the id of a software config with that text. */
import type { Ports } from "#lib/ports/ports.ts";
import type { ProviderCall } from "#lib/ports/resource-type.ts";
import { openConfig } from "#lib/software-config/configs/config-content.ts";
import { jsonText } from "#lib/template/python-text.ts";

/** Python's uuid module accepts ids with or without dashes, in upper or lower case. */
const UUID_LIKE = /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i;

/** The config may belong to another stack and is then sealed with that stack's key. */
export type ConfigReading = Pick<Ports, "softwareConfigs" | "cipher">;

export const configText = async (
  { softwareConfigs, cipher }: ConfigReading,
  { tenant }: Pick<ProviderCall, "tenant">,
  text: string,
): Promise<string> => {
  const record = UUID_LIKE.test(text) ? await softwareConfigs.getConfig(tenant, text) : null;
  if (record === null) return text;
  const { config } = await openConfig(cipher, record);
  return typeof config === "string" ? config : jsonText(config, { sortKeys: false });
};

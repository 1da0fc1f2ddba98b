/** Properties that are a text, or the id of a software config that has the text, as in Heat. */
import type { Ports } from "#lib/ports/ports.ts";
import type { ProviderCall } from "#lib/ports/resource-type.ts";
import { openConfig } from "#lib/software-config/configs/config-content.ts";
import { jsonText } from "#lib/template/python-text.ts";

/** As Python's uuid module reads one: with or without dashes, in any case. */
const UUID_LIKE = /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i;

/** A config may be another stack's. Then it is sealed under that stack's key. */
export type ConfigReading = Pick<Ports, "softwareConfigs" | "cipher">;

/** The content of the config with this id, or the text itself. */
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

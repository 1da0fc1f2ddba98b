/**
 * Records in the data folder which plug-in had which type. So an error can name the plug-in that
 * the host was started without. Nothing else depends on the file.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { logger } from "#functions/logger.ts";
import { unusable, writeWhole } from "#lib/adapters/sqlite/folder/private-files.ts";
import { mapOf, parseJson } from "#lib/json.ts";

export const PLUGINS_FILE = "plugins.json";

const recordSchema = z.record(z.string(), z.object({ provider: z.string(), source: z.string() }));
type PluginRecord = z.infer<typeof recordSchema>;

const readRecord = (path: string): PluginRecord => {
  if (!existsSync(path)) return {};
  try {
    return recordSchema.parse(parseJson(readFileSync(path, "utf8")));
  } catch (error) {
    logger.error("the record of plug-ins was not read", error, { path });
    return {};
  }
};

interface Maker {
  readonly source: string;
  readonly provider: { readonly name: string; readonly types: object };
}

export const ALL_OF_AWS = "AWS::*";

const familyOf = (type: string): string => `${type.split("::")[0]}::*`;

const recordOf = (plugins: readonly Maker[]): PluginRecord =>
  mapOf(
    plugins.flatMap(({ source, provider }) =>
      Object.keys(provider.types).map(
        (type) => [type, { provider: provider.name, source }] as const,
      ),
    ),
  );

export const formerTypesOf = (folder: string | null, source: string): readonly string[] =>
  folder === null
    ? []
    : Object.entries(readRecord(join(folder, PLUGINS_FILE)))
        .filter(([, known]) => known.source === source)
        .map(([type]) => type);

/**
 * Adds the types of these plug-ins to the record. Throws FolderRefused.
 * @returns a function that names the plug-in which has or had a type
 */
export const rememberPlugins = (
  folder: string | null,
  plugins: readonly Maker[],
): ((type: string) => string | null) => {
  if (folder === null) return () => null;
  const path = join(folder, PLUGINS_FILE);
  const former = readRecord(path);
  const record = { ...former, ...recordOf(plugins) };
  const text = `${JSON.stringify(record, null, 2)}\n`;
  try {
    if (plugins.length > 0 && text !== textOf(path)) writeWhole(path, text);
  } catch (error) {
    throw unusable(path, error);
  }
  tellMissing(former, plugins);
  return (type) => {
    const known = [type, familyOf(type)].find((name) => Object.hasOwn(record, name));
    return known === undefined ? null : textOfMaker(record[known]);
  };
};

const textOfMaker = (known: PluginRecord[string] | undefined): string | null =>
  known === undefined ? null : `the plug-in ${known.provider} (${known.source})`;

const textOf = (path: string): string => (existsSync(path) ? readFileSync(path, "utf8") : "");

const tellMissing = (former: PluginRecord, plugins: readonly Maker[]): void => {
  const present = new Set(plugins.flatMap(({ provider }) => Object.keys(provider.types)));
  for (const [type, { provider, source }] of Object.entries(former)) {
    if (present.has(type)) continue;
    logger.info("a type of a former plug-in is missing", { type, provider, source });
  }
};

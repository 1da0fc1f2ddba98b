/** Which version of Hearth a data folder belongs to. The schemas decide; VERSION is for people. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { FAKE_PROVIDER_FILE } from "./fake-provider.ts";
import { schemaVersionOf, whyRefusedVersion } from "./migrate.ts";
import { DATABASE_FILE } from "./open-sqlite.ts";
import { FolderRefused, unusable, writeWhole } from "./private-files.ts";
import { FAKE_PROVIDER_SCHEMA, SCHEMA } from "./schema.ts";

export const VERSION_FILE = "VERSION";

const SCHEMAS = { [DATABASE_FILE]: SCHEMA, [FAKE_PROVIDER_FILE]: FAKE_PROVIDER_SCHEMA };

/** "Hearth 0.2.0", or null for a folder of a version that left no such file. */
const lastWriter = (folder: string): string | null => {
  const path = join(folder, VERSION_FILE);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  return /^Hearth [0-9A-Za-z.+-]{1,64}$/m.exec(text)?.[0] ?? null;
};

/**
 * Looks at all databases before any of them is opened for writing, so that a refused folder stays
 * as it is. Throws FolderRefused.
 */
export const refuseOtherFolder = (folder: string): void => {
  for (const [name, schema] of Object.entries(SCHEMAS)) {
    const path = join(folder, name);
    const why = whyRefusedVersion(schemaVersionOf(path), schema, path);
    if (why === null) continue;
    const writer = lastWriter(folder);
    const last = writer === null ? "" : ` The last that used the folder was ${writer}.`;
    throw new FolderRefused(`${why}${last}`);
  }
};

/** After the upgrade, under the folder's lock. Throws FolderRefused. */
export const nameWriter = (folder: string, version: string): void => {
  const schemas = Object.entries(SCHEMAS).map(([name, schema]) => `${name} ${schema.version}`);
  const text = `Hearth ${version}\nThe last version that used this folder. Schemas: ${schemas.join(", ")}.\n`;
  const path = join(folder, VERSION_FILE);
  try {
    if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeWhole(path, text);
  } catch (error) {
    throw unusable(path, error);
  }
};

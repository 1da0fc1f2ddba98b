import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Heat's packages install the templates there. In Python's package index they are beside the
 * library.
 */
const INSTALLED = "file:///etc/heat/templates";

export const installedEnvironment = (library: string, folder: string): string => {
  const path = join(library, "etc", "heat", "environment.d", "default.yaml");
  if (!existsSync(path)) throw new Error(`HEARTH_HEAT_PYTHONPATH has no ${path}`);
  const templates = pathToFileURL(join(library, "etc", "heat", "templates")).href;
  const written = join(folder, "installed-environment.yaml");
  writeFileSync(written, readFileSync(path, "utf8").replaceAll(INSTALLED, templates));
  return written;
};

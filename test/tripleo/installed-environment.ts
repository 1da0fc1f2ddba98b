/** The environment that Heat's packages install, which maps old types to new ones. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The packages have the templates there. Python's package index has them beside the library. */
const INSTALLED = "file:///etc/heat/templates";

/** The path of an environment file in `folder`. It names the templates where they are. */
export const installedEnvironment = (library: string, folder: string): string => {
  const path = join(library, "etc", "heat", "environment.d", "default.yaml");
  if (!existsSync(path)) throw new Error(`HEARTH_HEAT_PYTHONPATH has no ${path}`);
  const templates = pathToFileURL(join(library, "etc", "heat", "templates")).href;
  const written = join(folder, "installed-environment.yaml");
  writeFileSync(written, readFileSync(path, "utf8").replaceAll(INSTALLED, templates));
  return written;
};

import { execFileSync } from "node:child_process";
import * as z from "zod";
import { ROOT } from "./bundle.ts";
import type { BundledPackage } from "./packages.ts";

const SBOM_BYTES_MAX = 64 * 1024 * 1024;
/** npm marks every package like this, because none of them is installed for a user. */
const DEVELOPMENT = "cdx:npm:package:development";

const componentSchema = z.looseObject({
  "bom-ref": z.string(),
  properties: z.array(z.looseObject({ name: z.string() })).default([]),
});
const sbomSchema = z.looseObject({
  metadata: z.looseObject({ component: componentSchema }),
  components: z.array(componentSchema),
  dependencies: z.array(z.looseObject({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

const npmSbom = (): z.infer<typeof sbomSchema> => {
  // Vite sets NODE_ENV to production in this process, and npm would then omit all packages.
  const all = ["--include", "dev"];
  const words = ["sbom", "--sbom-format", "cyclonedx", "--sbom-type", "application", ...all];
  const options = { cwd: ROOT, encoding: "utf8", maxBuffer: SBOM_BYTES_MAX } as const;
  return sbomSchema.parse(JSON.parse(execFileSync("npm", words, options)));
};

/** @throws when npm does not know a package of the bundle. */
export const sbomOf = (packages: readonly BundledPackage[]): string => {
  const sbom = npmSbom();
  const wanted = new Set(packages.map(({ name, version }) => `${name}@${version}`));
  const components = sbom.components
    .filter(({ "bom-ref": ref }) => wanted.has(ref))
    .map((component) => ({
      ...component,
      properties: component.properties.filter(({ name }) => name !== DEVELOPMENT),
    }));
  const known = new Set(components.map(({ "bom-ref": ref }) => ref));
  const missing = [...wanted].filter((ref) => !known.has(ref));
  if (missing.length > 0) throw new Error(`npm's list lacks ${missing.join(", ")}`);
  const root = sbom.metadata.component["bom-ref"];
  const dependencies = sbom.dependencies
    .filter(({ ref }) => ref === root || wanted.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((one) => wanted.has(one)) }));
  return `${JSON.stringify({ ...sbom, components, dependencies }, null, 2)}\n`;
};

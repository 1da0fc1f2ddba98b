import { existsSync } from "node:fs";
import { join } from "node:path";
import {
  type BundlingOptions,
  type ICommandHooks,
  OutputFormat,
} from "aws-cdk-lib/aws-lambda-nodejs";
import type { FunctionName } from "#functions/aws/environment.ts";

/** CommonJS packages need `require` even inside an ES module. */
const REQUIRE_BANNER =
  'import{createRequire as hearthRequire}from"node:module";const require=hearthRequire(import.meta.url);';

export const BUNDLING = {
  format: OutputFormat.ESM,
  mainFields: ["module", "main"],
  target: "node24",
  minify: true,
  keepNames: true,
  sourceMap: true,
  // Node reads the map at each cold start. Stack traces need its names and lines, not the sources.
  sourcesContent: false,
  bundleAwsSDK: true,
  banner: REQUIRE_BANNER,
} as const satisfies BundlingOptions;

export const NODE_OPTIONS = "--enable-source-maps";

/** These functions check templates or create AWS resources. The others do not need the table. */
export const WITH_AWS_TYPES: ReadonlySet<FunctionName> = new Set([
  "api",
  "prepare-traversal",
  "check-resource",
  "dead-letter",
]);

/** The reader looks for the table beside its own module, which is bundled. */
export const AWS_TYPES_FILES: ICommandHooks = {
  beforeBundling: () => [],
  beforeInstall: () => [],
  afterBundling: (root, bundle) => [
    `cp "${root}/providers/cloud-control/tables/types.br" "${bundle}/types.br"`,
  ],
};

/**
 * The console is always built anew, because an older build would be deployed without notice. Stages
 * may be deployed at the same time, so each build has its own folder. Nothing is built in a clone
 * that has no console.
 */
export const CONSOLE_FILES: ICommandHooks = {
  beforeBundling: () => [],
  beforeInstall: () => [],
  afterBundling: (root, bundle) =>
    existsSync(join(root, "apps/console"))
      ? [`cd "${root}"`, `npm run --silent build -- web "${bundle}/console"`]
      : [],
};

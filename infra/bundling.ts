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
  // It is larger than everything else together, so it lies beside the bundle (VISIT_FILES).
  externalModules: ["@aws-sdk/client-ec2"],
  banner: REQUIRE_BANNER,
} as const satisfies BundlingOptions;

export const NODE_OPTIONS = "--enable-source-maps";

const after = (commands: ICommandHooks["afterBundling"]): ICommandHooks => ({
  beforeBundling: () => [],
  beforeInstall: () => [],
  afterBundling: commands,
});

/** The reader looks for the table beside its own module, which is bundled. */
const typeTable: ICommandHooks["afterBundling"] = (root, bundle) => [
  `cp "${root}/providers/cloud-control/tables/types.br" "${bundle}/types.br"`,
];

const ESBUILD =
  "node_modules/.bin/esbuild --bundle --minify --keep-names --platform=node --log-level=error";

const CHECK_FILES = after(typeTable);

/**
 * The agent, with which servers of EC2 boot, if the clone has it, and the client of EC2. A worker
 * reads both when a project with servers first needs them.
 */
const VISIT_FILES = after((root, bundle) => [
  ...typeTable(root, bundle),
  `cd "${root}"`,
  ...(existsSync(join(root, "apps/agent"))
    ? [
        `${ESBUILD} apps/agent/hearth-agent.ts --format=esm --target=node20 --outfile="${bundle}/hearth-agent.mjs"`,
      ]
    : []),
  `${ESBUILD} @aws-sdk/client-ec2 --format=cjs --target=node24 --main-fields=module,main --outfile="${bundle}/node_modules/@aws-sdk/client-ec2/index.js"`,
]);

/**
 * The console is always built anew, because an older build would be deployed without notice. Stages
 * may be deployed at the same time, so each build has its own folder. Nothing is built in a clone
 * that has no console.
 */
const CONSOLE_FILES = after((root, bundle) =>
  existsSync(join(root, "apps/console"))
    ? [`cd "${root}"`, `npm run --silent build -- web "${bundle}/console"`]
    : [],
);

/** What a function needs beside its bundle: only some check templates, make objects or serve. */
export const FILES: Readonly<Partial<Record<FunctionName, ICommandHooks>>> = {
  api: CHECK_FILES,
  "prepare-traversal": CHECK_FILES,
  "check-resource": VISIT_FILES,
  "dead-letter": VISIT_FILES,
  console: CONSOLE_FILES,
};

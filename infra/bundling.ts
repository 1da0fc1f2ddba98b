/** How esbuild makes one file of a function: minified, with a map back to the sources. */
import { type BundlingOptions, OutputFormat } from "aws-cdk-lib/aws-lambda-nodejs";

/** CommonJS packages look for `require` even inside an ES module. */
const REQUIRE_BANNER =
  'import{createRequire as hearthRequire}from"node:module";const require=hearthRequire(import.meta.url);';

export const BUNDLING = {
  format: OutputFormat.ESM,
  mainFields: ["module", "main"],
  target: "node24",
  minify: true,
  // The logs and the clients name errors by their classes.
  keepNames: true,
  sourceMap: true,
  // Node reads the map at each cold start. A stack trace needs names and lines, and no texts.
  sourcesContent: false,
  bundleAwsSDK: true,
  banner: REQUIRE_BANNER,
} as const satisfies BundlingOptions;

/** Makes stack traces name the sources. */
export const NODE_OPTIONS = "--enable-source-maps";

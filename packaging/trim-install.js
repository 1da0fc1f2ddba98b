/**
 * Removes files from node_modules that Hearth never reads: a hundred megabytes. npm runs it after
 * `npm ci` and `npm install` in a clone, and not for users of the package. It is JavaScript, since
 * npm may run it on a Node that strips no types.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const CLONE = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(process.argv[2] ?? CLONE, "node_modules");

/** Its name has the platform in it. */
const node = join(modules, "node/node_modules");
const platforms = existsSync(node) ? readdirSync(node) : [];

const neverRead = [
  // 67 MB: headers for compilers of native add-ons.
  ...platforms.map((name) => join(node, name, "include")),
  // 22 MB: the AWS CLI, for apps whose functions deploy files.
  join(modules, "@aws-cdk/asset-awscli-v1/lib/layer.zip"),
  // 21 MB: the CDK's description for other languages than JavaScript.
  join(modules, "aws-cdk-lib/.jsii.gz"),
  join(modules, "aws-cdk-lib/.jsii.tabl.json.gz"),
];

for (const path of neverRead) rmSync(path, { recursive: true, force: true });

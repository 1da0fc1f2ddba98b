import { existsSync } from "node:fs";
import { join } from "node:path";
import type { ICommandHooks } from "aws-cdk-lib/aws-lambda-nodejs";

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

import type { ICommandHooks } from "aws-cdk-lib/aws-lambda-nodejs";

/**
 * The console is always built anew, because an older build would be deployed without notice. Stages
 * may be deployed at the same time, so each build has its own folder.
 */
export const CONSOLE_FILES: ICommandHooks = {
  beforeBundling: () => [],
  beforeInstall: () => [],
  afterBundling: (root, bundle) => [
    `cd "${root}"`,
    `npm run --silent build -- web "${bundle}/console"`,
  ],
};

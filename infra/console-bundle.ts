/** Builds the console beside the bundle of the function that serves it. */
import type { ICommandHooks } from "aws-cdk-lib/aws-lambda-nodejs";

/**
 * Always built anew: an older build would be deployed without a word. Each has a folder of its own,
 * because stages may be deployed at once.
 */
export const CONSOLE_FILES: ICommandHooks = {
  beforeBundling: () => [],
  beforeInstall: () => [],
  afterBundling: (root, bundle) => [
    `cd "${root}"`,
    `npm run --silent build -- web "${bundle}/console"`,
  ],
};

import type { ICommandHooks } from "aws-cdk-lib/aws-lambda-nodejs";
import type { FunctionName } from "#functions/aws/environment.ts";

/** These functions check templates or create AWS resources. The others do not need the table. */
export const WITH_AWS_TYPES: ReadonlySet<FunctionName> = new Set([
  "api",
  "prepare-traversal",
  "check-resource",
  "dead-letter",
]);

/** The reader looks for the table beside its own module, which is bundled. */
export const AWS_TYPES_FILES: ICommandHooks = {
  beforeBundling: () => [],
  beforeInstall: () => [],
  afterBundling: (root, bundle) => [
    `cp "${root}/providers/cloud-control/tables/types.br" "${bundle}/types.br"`,
  ],
};

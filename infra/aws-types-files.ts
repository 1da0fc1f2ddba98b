/** The table of AWS's types beside the bundle of a function that knows them. */
import type { ICommandHooks } from "aws-cdk-lib/aws-lambda-nodejs";
import type { FunctionName } from "#functions/aws/environment.ts";

/** They check templates or make objects of AWS. The others have neither table nor reader. */
export const WITH_AWS_TYPES: ReadonlySet<FunctionName> = new Set([
  "api",
  "prepare-traversal",
  "check-resource",
  "dead-letter",
]);

/** The reader looks for the table beside its own module, and so beside the bundle. */
export const AWS_TYPES_FILES: ICommandHooks = {
  beforeBundling: () => [],
  beforeInstall: () => [],
  afterBundling: (root, bundle) => [
    `cp "${root}/providers/cloud-control/tables/types.br" "${bundle}/types.br"`,
  ],
};

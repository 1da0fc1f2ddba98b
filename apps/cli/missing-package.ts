/** What Node says of a missing package; the last one in a single executable. */
const MISSING =
  /(?:Cannot find (?:package|module) '|No such built-in module: )(@aws-sdk\/[a-z0-9-]+)/;

/** The package of the AWS SDK that an import did not find. Null for any other error. */
export const missingAwsPackage = (error: unknown): string | null =>
  MISSING.exec(error instanceof Error ? error.message : "")?.[1] ?? null;

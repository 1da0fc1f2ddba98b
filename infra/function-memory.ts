/** The memory of each function, which also decides its CPU share. The cost model reads it too. */
import type { FunctionName } from "#functions/aws/environment.ts";

const WAITED_FOR_MB = 1_024;
const BACKGROUND_MB = 512;
const SMALL_MB = 256;

export const FUNCTION_MEMORY_MB: Readonly<Record<FunctionName, number>> = {
  api: WAITED_FOR_MB,
  authorizer: BACKGROUND_MB,
  metadata: BACKGROUND_MB,
  "agent-polls": SMALL_MB,
  signal: BACKGROUND_MB,
  "prepare-traversal": WAITED_FOR_MB,
  "check-resource": WAITED_FOR_MB,
  "dead-letter": BACKGROUND_MB,
  events: BACKGROUND_MB,
  sweep: WAITED_FOR_MB,
  "supervise-stacks": BACKGROUND_MB,
  "await-end": SMALL_MB,
  deadline: BACKGROUND_MB,
  console: SMALL_MB,
  "rotate-signing-key": SMALL_MB,
};

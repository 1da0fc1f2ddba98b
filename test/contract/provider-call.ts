/** A call of a provider as the host makes it. */
import type { Call } from "#provider/provider.ts";

const DAY_MS = 86_400_000;

/** A CREATE of the resource `thing` without properties, but for what is `given`. */
export const callOf = (token: string, given: Partial<Call> = {}): Call => ({
  token,
  action: "CREATE",
  tenant: "demo",
  stackId: "stack-1",
  stackName: "app",
  resourceId: token,
  resourceName: "thing",
  physicalId: null,
  properties: {},
  previousProperties: null,
  deadline: Date.now() + DAY_MS,
  signal: new AbortController().signal,
  ...given,
});

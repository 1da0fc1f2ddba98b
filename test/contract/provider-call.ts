import type { Call } from "#provider/provider.ts";

const DAY_MS = 86_400_000;

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

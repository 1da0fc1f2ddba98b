import { describe, expect, it } from "vitest";
import { checkProvider } from "#provider/kit/check-provider.ts";
import type { Answer, Call, Provider } from "#provider/provider.ts";

const backEnd = () => {
  const labels = new Map<string, string>();
  let made = 0;
  return {
    labels,
    make: (label: string): string => {
      made += 1;
      labels.set(`thing-${made}`, label);
      return `thing-${made}`;
    },
  };
};

const waiting = (physicalId: string): Answer => ({
  state: "waiting",
  physicalId,
  pollAfterSeconds: 0,
});

const verdicts = async (find: boolean): Promise<Readonly<Record<string, string>>> => {
  const { labels, make } = backEnd();
  const provider: Provider = {
    provider: 1,
    name: "things",
    types: {
      "My::Thing": {
        description: "A thing.",
        properties: {},
        tokens: "searchable",
        create: async ({ token }: Call) => waiting(make(token)),
        poll: async () => ({ state: "finished" }),
        find: async ({ token }) => {
          const found = [...labels].find(([, label]) => find && label === token);
          return found === undefined ? null : waiting(found[0]);
        },
        delete: async ({ physicalId }) =>
          labels.delete(physicalId) ? { state: "finished" } : { state: "gone" },
        check: async ({ physicalId }) =>
          labels.has(physicalId) ? { state: "finished" } : { state: "gone" },
        cancel: async () => undefined,
        list: async () => [...labels.keys()],
      },
    },
  };
  const results = await checkProvider({
    load: async () => provider,
    type: "My::Thing",
    properties: {},
  });
  return Object.fromEntries(results.map(({ name, verdict }) => [name, verdict]));
};

describe("a provider that waits and searches", () => {
  it("passes each case, cancel too", async () => {
    expect(await verdicts(true)).toEqual({
      life: "passed",
      "crash after the effect": "passed",
      "duplicate token": "passed",
      "lost answer": "passed",
      slow: "passed",
      replacement: "passed",
      "delete of what is gone": "passed",
      failure: "not played",
      throttling: "passed",
      garbage: "passed",
      cancel: "passed",
      repair: "not played",
      "suspend and resume": "not played",
      "suspend of what is gone": "not played",
      snapshot: "not played",
    });
  });

  it("fails where its search finds nothing", async () => {
    const failed = Object.entries(await verdicts(false)).filter(
      ([, verdict]) => verdict === "failed",
    );
    expect(failed.map(([name]) => name)).toEqual([
      "crash after the effect",
      "duplicate token",
      "slow",
    ]);
  });
});

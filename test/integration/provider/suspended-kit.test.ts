/**
 * The contract kit's cases for suspend, resume and snapshot: with a module, and with the same
 * module as a server. Broken variants fail what they break.
 */
import { describe, expect, it } from "vitest";
import { connectProvider } from "#provider/http/remote-provider.ts";
import { serveProvider } from "#provider/http/serve-provider.ts";
import { checkProvider } from "#provider/kit/check-provider.ts";
import type { Answer, ObjectCall, ProvidedType, Provider } from "#provider/provider.ts";

const TYPE = "My::Engine";
const SECRET = "the secret of this test, which is long enough";

interface BackEnd {
  readonly engines: Map<string, boolean>;
  readonly images: Map<string, string>;
}

const GONE: Answer = { state: "gone" };

const bring =
  ({ engines }: BackEnd, runs: boolean) =>
  async ({ physicalId, token }: ObjectCall): Promise<Answer> => {
    if (!engines.has(physicalId)) return GONE;
    engines.set(physicalId, runs);
    return { state: "waiting", physicalId, handle: token, pollAfterSeconds: 0 };
  };

const snapshot =
  ({ engines, images }: BackEnd) =>
  async ({ physicalId, token }: ObjectCall): Promise<Answer> => {
    if (!engines.has(physicalId)) return GONE;
    const image = images.get(token) ?? `image-${images.size + 1}`;
    images.set(token, image);
    return { state: "finished", attributes: { kept: image } };
  };

type Changes = (backEnd: BackEnd) => Partial<ProvidedType>;

const engineType = (backEnd: BackEnd, changes: Changes): ProvidedType => ({
  description: "An engine.",
  properties: { image: { type: "string" } },
  attributes: { kept: { type: "string" } },
  tokens: "kept",
  create: async ({ token }) => {
    const physicalId = `engine of ${token}`;
    backEnd.engines.set(physicalId, true);
    return { state: "finished", physicalId };
  },
  delete: async ({ physicalId }) => {
    backEnd.engines.delete(physicalId);
    return { state: "finished" };
  },
  check: async ({ physicalId }) => {
    const runs = backEnd.engines.get(physicalId);
    if (runs === undefined) return GONE;
    return runs ? { state: "finished" } : { state: "failed", reason: "it stands still" };
  },
  poll: async () => ({ state: "finished" }),
  suspend: bring(backEnd, false),
  resume: bring(backEnd, true),
  snapshot: snapshot(backEnd),
  restore: { image: "kept" },
  list: async () => [...backEnd.engines.keys()],
  ...changes(backEnd),
});

const providerWith = (changes: Changes): Provider => {
  const backEnd: BackEnd = { engines: new Map(), images: new Map() };
  return { provider: 2, name: "engines", types: { [TYPE]: engineType(backEnd, changes) } };
};

const failedIn = async (load: () => Promise<Provider>): Promise<readonly string[]> => {
  const results = await checkProvider({ load, type: TYPE, properties: { image: "first" } });
  const notPlayed = results.filter(({ verdict }) => verdict === "not played");
  expect(notPlayed.map(({ name }) => name)).toEqual(["failure", "cancel", "repair"]);
  return results.filter(({ verdict }) => verdict === "failed").map(({ name }) => name);
};

const CASES: readonly [string, Changes, readonly string[]][] = [
  ["keeps its promises", () => ({}), []],
  [
    "cannot repeat a suspend",
    ({ engines }) => ({
      suspend: async ({ physicalId }) => {
        if (!engines.get(physicalId)) return { state: "failed", reason: "it stands still" };
        engines.set(physicalId, false);
        return { state: "finished" };
      },
    }),
    ["suspend and resume"],
  ],
  [
    "does not start it again",
    ({ engines }) => ({
      resume: async ({ physicalId }) => ({
        state: engines.has(physicalId) ? "finished" : "gone",
      }),
    }),
    ["suspend and resume"],
  ],
  [
    "suspends what is gone",
    () => ({ suspend: async () => ({ state: "finished" }) }),
    ["suspend of what is gone"],
  ],
  [
    "keeps two things for a token",
    ({ engines }) => ({
      snapshot: async ({ physicalId }) =>
        engines.has(physicalId)
          ? { state: "finished", attributes: { kept: `image-${performance.now()}` } }
          : GONE,
    }),
    ["snapshot"],
  ],
  [
    "does not say what it has kept",
    ({ engines }) => ({
      snapshot: async ({ physicalId }) => ({
        state: engines.has(physicalId) ? "finished" : "gone",
      }),
    }),
    ["snapshot"],
  ],
];

describe("a provider that", () => {
  it.each(CASES)("%s, as a module", async (_what, changes, failed) => {
    const provider = providerWith(changes);
    expect(await failedIn(async () => provider)).toEqual(failed);
  });

  it.each(CASES)("%s, as a server", async (_what, changes, failed) => {
    const served = await serveProvider(providerWith(changes), { port: 0, secrets: [SECRET] });
    const load = () => connectProvider({ url: served.url, secret: SECRET });
    expect(await failedIn(load)).toEqual(failed);
    await served.close();
  });
});

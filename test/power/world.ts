/** The world outside: objects of a provider over HTTP, which survive every power cut. */
import { writeFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { serveProvider } from "#provider/http/serve-provider.ts";
import type { Provider } from "#provider/provider.ts";
import { readProvider } from "#provider/read-provider.ts";

const SECRET = "the secret of this lane, which is long enough";
const CALL_MS = 5;

interface Thing {
  readonly stackName: string;
  readonly resourceName: string;
  value: string;
}

export interface World {
  readonly things: ReadonlyMap<string, Thing>;
  readonly made: () => number;
  readonly options: readonly string[];
  readonly close: () => Promise<void>;
}

export const openWorld = async (secrets: string): Promise<World> => {
  const things = new Map<string, Thing>();
  const ids = new Map<string, string>();
  const provider: Provider = {
    provider: 1,
    name: "things",
    types: {
      "World::Thing": {
        description: "An object that is made, changed and removed.",
        properties: {
          key: { type: "string", default: "" },
          value: { type: "string", default: "", updateAllowed: true },
        },
        attributes: {},
        tokens: "kept",
        create: async ({ token, stackName, resourceName, properties }) => {
          const physicalId = ids.get(token) ?? `thing-${ids.size + 1}`;
          if (!ids.has(token))
            things.set(physicalId, { stackName, resourceName, value: String(properties["value"]) });
          ids.set(token, physicalId);
          await pause(CALL_MS);
          return { state: "finished", physicalId };
        },
        update: async ({ physicalId, properties }) => {
          const thing = things.get(physicalId);
          if (thing === undefined) return { state: "gone" };
          thing.value = String(properties["value"]);
          await pause(CALL_MS);
          return { state: "finished" };
        },
        delete: async ({ physicalId }) => {
          things.delete(physicalId);
          await pause(CALL_MS);
          return { state: "finished" };
        },
        list: async () => [...things.keys()],
        check: async ({ physicalId }) =>
          things.has(physicalId) ? { state: "finished" } : { state: "gone" },
      },
    },
  };
  const { url, close } = await serveProvider(readProvider(provider), {
    port: 0,
    secrets: [SECRET],
  });
  writeFileSync(secrets, JSON.stringify({ [url]: SECRET }), { mode: 0o600 });
  return {
    things,
    made: () => ids.size,
    options: ["--plugin", url, "--plugin-secrets", secrets],
    close,
  };
};

import { afterEach, describe, expect, it } from "vitest";
import { plugInServersSchema } from "#functions/aws/plug-in-servers.ts";
import { withRemoteTypes } from "#functions/aws/remote-types.ts";
import { callLimit } from "#lib/adapters/node/call-limit.ts";
import type { ResourceTypes } from "#lib/ports/resource-type.ts";
import { type ServedProvider, serveProvider } from "#provider/http/serve-provider.ts";
import { COUNTED, countingProvider } from "#test/integration/provider/counting-provider.ts";
import { world } from "../resources/world.ts";
import { linesOf } from "./output.ts";

const SECRET = "the secret of this test, which is long enough";
const ARN = "arn:aws:secretsmanager:eu-west-1:111122223333:secret:files-AbCdEf";
const MINUTE_MS = 60_000;

let served: ServedProvider | null = null;
afterEach(async () => {
  await served?.close();
  served = null;
});

const serve = async (port = 0): Promise<string> => {
  const { provider } = countingProvider("kept");
  served = await serveProvider(provider, { port, secrets: [SECRET] });
  return served.url;
};

const worker = (url: string, types: readonly string[] = [COUNTED], secret = SECRET) => {
  const state = { now: 0, secretsRead: 0 };
  const found: ResourceTypes = withRemoteTypes(world().ports.resourceTypes, {
    servers: { [url]: { secret: ARN, types: [...types] } },
    secretOf: async () => {
      state.secretsRead += 1;
      return secret;
    },
    limit: callLimit(),
    now: () => state.now,
  });
  return { state, types: found };
};

describe("a type of a server", () => {
  it("is listed before the server is asked, and asked for once", async () => {
    const { state, types } = worker(await serve());
    expect(types.names()).toContain(COUNTED);
    expect(state.secretsRead).toBe(0);
    const found = await Promise.all([types.get(COUNTED), types.get(COUNTED)]);
    expect(found[0]?.type).toBe(COUNTED);
    expect(found[1]).toBe(found[0]);
    expect(await types.get(COUNTED)).toBe(found[0]);
    expect(state.secretsRead).toBe(1);
  });

  it("is unknown if the deployment does not name it, or the server does not have it", async () => {
    const { types } = worker(await serve(), ["My::Other"]);
    expect([await types.get(COUNTED), await types.get("My::Other")]).toEqual([null, null]);
  });

  it("does not take the place of Hearth's own", async () => {
    const { state, types } = worker(await serve(), ["OS::Heat::Value"]);
    expect((await types.get("OS::Heat::Value"))?.type).toBe("OS::Heat::Value");
    expect(state.secretsRead).toBe(0);
  });

  it("has calls that end within a visit", async () => {
    const { types } = worker(await serve());
    const type = await types.get(COUNTED);
    expect(type?.lifecycle.callMsMax).toBeLessThanOrEqual(45_000);
  });

  it("comes later while its server is away, and no other type does", async () => {
    const url = await serve();
    await served?.close();
    served = null;
    const { types } = worker(url);
    await expect(types.get(COUNTED)).rejects.toMatchObject({ name: "RetryLater" });
    expect((await types.get("OS::Heat::Value"))?.type).toBe("OS::Heat::Value");
    await serve(Number(new URL(url).port));
    expect((await types.get(COUNTED))?.type).toBe(COUNTED);
  });

  it("stays for a worker that knows it while its server is away", async () => {
    const { state, types } = worker(await serve());
    const known = await types.get(COUNTED);
    await served?.close();
    served = null;
    state.now += 6 * MINUTE_MS;
    const lines = await linesOf(async () => {
      expect(await types.get(COUNTED)).toBe(known);
      expect(await types.get(COUNTED)).toBe(known);
    });
    expect(state.secretsRead).toBe(2);
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toContain(SECRET);
  });

  it("is asked for with a rotated secret after some minutes", async () => {
    const { state, types } = worker(await serve());
    await types.get(COUNTED);
    state.now += 6 * MINUTE_MS;
    await types.get(COUNTED);
    expect(state.secretsRead).toBe(2);
  });

  it("comes later with a secret that is wrong or too short, which no error shows", async () => {
    const url = await serve();
    for (const secret of ["another secret, which is long enough too", "short"]) {
      const { types } = worker(url, [COUNTED], secret);
      const error = await types.get(COUNTED).catch((caught: unknown) => caught);
      expect(error).toMatchObject({ name: "RetryLater" });
      expect(String(error)).not.toContain(secret);
    }
  });
});

describe("the servers of a deployment", () => {
  const server = { secret: ARN, types: ["My::File"] };
  const problem = (given: object): string =>
    plugInServersSchema.safeParse(given).error?.issues[0]?.message ?? "";

  it("have an address, a secret and types, each once", () => {
    expect(problem({ "https://files.example.org/base": server })).toBe("");
    expect(problem({ "ftp://files.example.org": server })).toContain("URL of a server");
    expect(problem({ "https://user@files.example.org": server })).toContain("URL of a server");
    expect(problem({ "https://a.example.org": { ...server, types: [] } })).not.toBe("");
    expect(problem({ "https://a.example.org": { ...server, secret: "text" } })).toContain("ARN");
    const hearths = { ...server, types: ["OS::Nova::Server"] };
    expect(problem({ "https://a.example.org": hearths })).toContain("Hearth has the types");
    const both = { "https://a.example.org": server, "https://b.example.org": server };
    expect(problem(both)).toBe("a type is named twice");
  });
});

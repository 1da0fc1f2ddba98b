import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import {
  DESCRIBE_PATH,
  SIGNATURE_HEADER,
  signatureOf,
  TIME_HEADER,
} from "#provider/http/protocol.ts";
import { serveProvider } from "#provider/http/serve-provider.ts";
import { providerApi } from "../../../tools/packaging/provider-api.ts";
import { countingProvider } from "../provider/counting-provider.ts";

const FILE = fileURLToPath(new URL("../../../docs/provider-protocol.yaml", import.meta.url));
const SECRET = "the secret of this test, which is long enough";

const document = parse(readFileSync(FILE, "utf8"));

const schema = (name: string) =>
  new Ajv2020({ strict: false }).compile({
    $ref: `#/components/schemas/${name}`,
    components: document.components,
  });

describe("docs/provider-protocol.yaml", () => {
  it("is up to date: npm run docs -- provider", () => {
    expect(readFileSync(FILE, "utf8")).toBe(providerApi());
  });

  it("has every schema that it refers to", () => {
    const text = JSON.stringify(document);
    const names = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(20);
    for (const name of names) expect(Object.keys(document.components.schemas)).toContain(name);
  });

  it("describes what is really sent", async () => {
    const { provider } = countingProvider("searchable");
    const served = await serveProvider(provider, { port: 0, secrets: [SECRET] });
    const { url } = served;
    const time = String(Date.now());
    const parts = { method: "GET", path: DESCRIBE_PATH, time, body: "" };
    const headers = { [TIME_HEADER]: time, [SIGNATURE_HEADER]: signatureOf(SECRET, parts) };
    const answer = await fetch(url + DESCRIBE_PATH, { headers });
    const description: unknown = await answer.json();
    await served.close();
    const isDescription = schema("Description");
    expect([answer.status, isDescription(description)]).toEqual([200, true]);
    expect(isDescription({ protocol: 2 })).toBe(false);
    expect(schema("Answer")({ state: "finished", physicalId: "a" })).toBe(true);
    expect(schema("Answer")({ state: "done" })).toBe(false);
  });
});

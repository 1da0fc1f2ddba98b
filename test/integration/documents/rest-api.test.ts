/**
 * docs/api.yaml must equal the routes and the schemas. Tests of the API compare answers with it.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { IDENTITY_ROUTES } from "#host/identity/answer-identity.ts";
import { API_ROUTES } from "#lib/api/route.ts";
import { METADATA_METHODS } from "#lib/software-config/document/read-document.ts";
import { SIGNAL_METHODS } from "#lib/software-config/signals/receive-signal.ts";
import { restApi } from "../../../tools/packaging/rest-api.ts";
import { repositoryFiles } from "../../architecture/repository.ts";

const FILE = fileURLToPath(new URL("../../../docs/api.yaml", import.meta.url));
const METHODS = ["get", "head", "post", "put", "patch", "delete"];

const Document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.unknown())),
  components: z.record(z.string(), z.record(z.string(), z.unknown())),
});
const text = readFileSync(FILE, "utf8");
const document = Document.parse(parse(text));

const documented = Object.entries(document.paths).flatMap(([path, item]) =>
  METHODS.filter((method) => method in item).map((method) => `${method.toUpperCase()} ${path}`),
);

/** Routes that are not in the tables of routes. */
const OTHERS = [
  "PUT /v1/agent/upload/{upload_id}",
  "GET /_health",
  "HEAD /_health",
  "GET /_ready",
  "HEAD /_ready",
  "GET /v1/{tenant}/_changes",
];

const REFUSAL = /(?:new RequestError\(\s*[^,]+,|faultResponse\()\s*(\d{3})/g;

describe("docs/api.yaml", () => {
  it("is up to date: npm run docs -- api", () => {
    expect(text).toBe(restApi());
  });

  it("has every route of the catalogue, and no other", () => {
    const routes = [
      ...API_ROUTES.map(({ method, pattern }) => `${method} ${pattern}`),
      ...SIGNAL_METHODS.map((method) => `${method} /v1/agent/signal/{derived_id}`),
      ...METADATA_METHODS.map((method) => `${method} /v1/agent/metadata/{server_id}`),
      ...IDENTITY_ROUTES.map(({ method, path }) => `${method} ${path}`),
      ...OTHERS,
    ];
    expect(documented.toSorted()).toEqual([...new Set(routes)].toSorted());
  });

  it("has everything that it refers to", () => {
    const names = [...text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)];
    expect(names.length).toBeGreaterThan(500);
    for (const [, kind = "", name = ""] of names)
      expect(Object.keys(document.components[kind] ?? {})).toContain(name);
  });

  it("names each operation once", () => {
    const ids = [...text.matchAll(/operationId: (\w+)/g)].map(([, id]) => id);
    expect(ids).toHaveLength(documented.length);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("has an answer for every status that the sources refuse with", () => {
    const statuses = repositoryFiles()
      .filter(({ path }) => /^(lib|functions|host)\/.*\.ts$/.test(path))
      .flatMap(({ text: source }) => [...source.matchAll(REFUSAL)].map(([, status]) => status));
    expect(statuses.length).toBeGreaterThan(40);
    for (const status of new Set(statuses))
      expect(Object.keys(document.components["responses"] ?? {})).toContain(`Answer${status}`);
  });
});

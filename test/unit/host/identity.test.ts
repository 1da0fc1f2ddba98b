import { describe, expect, it } from "vitest";
import { tokenHash, tokenId } from "#functions/authorizer/credential.ts";
import { answerIdentity, type IdentitySource } from "#host/identity/answer-identity.ts";
import { grantsForAnybody, grantsOfTokens } from "#host/identity/grants.ts";
import { type Json, parseJson } from "#lib/json.ts";
import { at } from "#test/unit/api/api-world.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const clock = { now: () => NOW };
const publicUrl = "https://hearth.example";

const stored = (secret: string, expiresAt: number | null): IdentitySource => {
  const get = async (hash: string) =>
    hash === tokenHash(secret) ? { tenant: "web", expiresAt, rights: {} } : null;
  return { publicUrl, clock, findGrant: grantsOfTokens({ get }, clock) };
};
const open: IdentitySource = { publicUrl, clock, findGrant: grantsForAnybody };

const passwordOf = (password: string, project?: Json): Json => ({
  auth: {
    identity: {
      methods: ["password"],
      password: { user: { name: "ada", domain: { name: "Default" }, password } },
    },
    ...(project === undefined ? {} : { scope: { project } }),
  },
});

const send = async (
  source: IdentitySource,
  method: string,
  path: string,
  { body = null, headers = {} }: { body?: Json; headers?: Record<string, string> } = {},
) => {
  const text = body === null ? null : JSON.stringify(body);
  const answer = await answerIdentity(source, { method, path, headers, body: text });
  return { ...answer, document: answer.body === null ? null : parseJson(answer.body) };
};

const TOKENS = "/v3/auth/tokens";

describe("a host that demands tokens", () => {
  it("takes an API token as the password, and gives it back as Keystone's token", async () => {
    const source = stored("secret", null);
    const project = { name: "web", domain: { id: "default" } };
    const answer = await send(source, "POST", TOKENS, { body: passwordOf("secret", project) });
    expect(answer.status).toBe(201);
    expect(answer.headers["X-Subject-Token"]).toBe("secret");
    expect(answer.document).toMatchObject({
      token: {
        methods: ["password"],
        user: { name: "ada" },
        project: { id: "web", name: "web" },
        issued_at: "2026-01-02T03:04:05.678000Z",
        expires_at: "2026-01-03T03:04:05.678000Z",
      },
    });
    const catalog = at(answer.document, "token", "catalog");
    expect(JSON.stringify(catalog)).toContain('"url":"https://hearth.example/v1/web"');
  });

  it("knows the project by the token, and the user by the token's id", async () => {
    const ends = NOW + 1_000;
    const body = { auth: { identity: { methods: ["token"], token: { id: "secret" } } } };
    const { status, document } = await send(stored("secret", ends), "POST", TOKENS, { body });
    expect(status).toBe(201);
    expect(at(document, "token", "user", "id")).toBe(tokenId(tokenHash("secret")));
    expect(at(document, "token", "expires_at")).toBe("2026-01-02T03:04:06.678000Z");
  });

  it("takes the secret of an application credential", async () => {
    const credential = { id: "ci", secret: "secret" };
    const identity = { methods: ["application_credential"], application_credential: credential };
    const answer = await send(stored("secret", null), "POST", TOKENS, {
      body: { auth: { identity } },
    });
    expect([answer.status, at(answer.document, "token", "user", "id")]).toEqual([201, "ci"]);
  });

  it.each<[string, Json, number | null]>([
    ["another password", passwordOf("wrong"), null],
    ["another project", passwordOf("secret", { name: "db" }), null],
    ["a token that has ended", passwordOf("secret"), NOW],
    ["no password at all", passwordOf(""), null],
  ])("answers 401 in Keystone's form: %s", async (_title, body, expiresAt) => {
    const answer = await send(stored("secret", expiresAt), "POST", TOKENS, { body });
    expect(answer.status).toBe(401);
    expect(answer.document).toMatchObject({ error: { code: 401, title: "Unauthorized" } });
    expect(answer.body).not.toContain("secret");
  });

  it("shows catalog, projects and other tokens to a holder only", async () => {
    const source = stored("secret", null);
    const holder = { "x-auth-token": "secret" };
    for (const path of ["/v3/auth/catalog", "/v3/auth/projects", TOKENS]) {
      expect((await send(source, "GET", path)).status).toBe(401);
      const subject = { ...holder, "x-subject-token": "secret" };
      expect((await send(source, "GET", path, { headers: subject })).status).toBe(200);
    }
    const unknown = { ...holder, "x-subject-token": "other" };
    expect((await send(source, "HEAD", TOKENS, { headers: unknown })).status).toBe(404);
    expect((await send(source, "DELETE", TOKENS, { headers: holder })).status).toBe(403);
  });
});

describe("a host that ignores tokens", () => {
  it("gives anybody a token that names the project", async () => {
    const made = await send(open, "POST", TOKENS, { body: passwordOf("any", { id: "demo" }) });
    expect(made.status).toBe(201);
    const headers = { "x-auth-token": made.headers["X-Subject-Token"] ?? "" };
    const projects = await send(open, "GET", "/v3/auth/projects", { headers });
    expect(at(projects.document, "projects", "0", "id")).toBe("demo");
  });

  it("answers 401 if nothing names a project, or what no project can be named", async () => {
    expect((await send(open, "POST", TOKENS, { body: passwordOf("any") })).status).toBe(401);
    const body = passwordOf("any", { name: "../demo" });
    expect((await send(open, "POST", TOKENS, { body })).status).toBe(401);
  });
});

describe("the façade", () => {
  it("has a version document, with and without a slash at the end", async () => {
    for (const path of ["/v3", "/v3/"]) {
      const { status, document } = await send(open, "GET", path);
      expect(status).toBe(200);
      expect(document).toMatchObject({
        version: { id: "v3.14", links: [{ rel: "self", href: `${publicUrl}/v3/` }] },
      });
    }
  });

  it.each<[string, string, string, Json, number]>([
    ["no request of version 3", "POST", TOKENS, { auth: { identity: {} } }, 400],
    [
      "a method without its part",
      "POST",
      TOKENS,
      { auth: { identity: { methods: ["totp"] } } },
      400,
    ],
    ["no body", "POST", TOKENS, null, 400],
    ["a wrong method", "PUT", TOKENS, null, 405],
    ["an unknown path", "GET", "/v3/users", null, 404],
    ["a name that every object has", "GET", "/v3/auth/constructor", null, 404],
  ])("says what is wrong: %s", async (_title, method, path, body, status) => {
    expect((await send(open, method, path, { body })).status).toBe(status);
  });
});

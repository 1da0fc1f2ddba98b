import { afterEach, expect, it } from "vitest";
import { ask, endWorld, openWorld } from "./reach-world.ts";

afterEach(endWorld);

const requestOf = (password: string) => {
  const user = { name: "ada", domain: { name: "Default" }, password };
  const identity = { methods: ["password"], password: { user } };
  return JSON.stringify({ auth: { identity, scope: { project: { name: "demo" } } } });
};

it("a password of the façade opens the API of its project", async () => {
  const { host, token } = await openWorld();
  const url = `${host.url}/v3/auth/tokens`;
  const refused = await ask(url, {}, { method: "POST", body: requestOf("wrong") });
  expect(refused.status).toBe(401);
  const made = await ask(url, {}, { method: "POST", body: requestOf(token) });
  expect(made.status).toBe(201);
  const given = String(made.headers["x-subject-token"]);
  const orchestration = `${host.url}/v1/demo`;
  expect(made.body).toContain(JSON.stringify(orchestration));
  const stacks = await ask(`${orchestration}/stacks`, { "X-Auth-Token": given });
  expect(stacks.status).toBe(200);
});

it("a body that is too large for a password is refused", async () => {
  const { host } = await openWorld();
  const body = requestOf("x".repeat(17 * 1024));
  const answer = await ask(`${host.url}/v3/auth/tokens`, {}, { method: "POST", body });
  expect(answer.status).toBe(413);
});

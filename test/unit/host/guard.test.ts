/** What a listener answers in a network where tokens may not be sent in clear text. */
import { describe, expect, it } from "vitest";
import { agentsGuard, type Guard, openGuard, ownNames, tokenGuard } from "#host/guard.ts";
import { isForProxyOnly } from "#host/reach.ts";

const FAR = "192.0.2.7";
const URL_HERE = `http://${FAR}:8004`;
const listening = {
  names: ownNames(URL_HERE, "https://hearth.example", []),
  onlyProxies: isForProxyOnly(FAR, { address: FAR, trustProxy: ["192.0.2.1"] }),
  isSecure: true,
};
const tokens = { get: async () => ({ tenant: "demo", expiresAt: null, rights: {} }) };

const reasonOf = async (guard: Guard, path: string, isProxy: boolean, scheme: string | null) => {
  const sender = { address: FAR, hosts: ["hearth.example"], isProxy, scheme };
  const { refusal } = await guard({ path, headers: { "x-auth-token": "valid" }, sender });
  return refusal?.reason ?? "admitted";
};

describe("a listener with plain HTTP in a network", () => {
  it.each<[string, Guard, string]>([
    ["tokens", tokenGuard(listening, tokens, { now: () => 0 }), "/v1/demo/stacks"],
    ["signed URLs", agentsGuard(listening), "/v1/agent/metadata/x"],
    ["everybody", openGuard(listening), "/"],
  ])("answers its proxy only, and what reached that by https: %s", async (_title, guard, path) => {
    expect(listening.onlyProxies).toBe(true);
    expect(await reasonOf(guard, path, false, null)).toBe("not-the-proxy");
    expect(await reasonOf(guard, path, true, "http")).toBe("clear-text");
    expect(await reasonOf(guard, path, true, "https")).toBe("admitted");
    expect(await reasonOf(guard, path, true, null)).toBe("admitted");
  });
});

import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { present } from "#lib/errors.ts";
import { SOFTWARE_TEMPLATE } from "../../security/software-site.ts";
import { ask, endWorld, openWorld, type World } from "./reach-world.ts";

afterEach(endWorld);

const withAgents = () =>
  openWorld({
    agentsListen: { address: "127.0.0.1", port: 0 },
    agentsUrl: "https://hearth.test:8005",
  });

const StackAnswer = z.object({
  stack: z.object({ outputs: z.array(z.object({ output_value: z.unknown() })) }),
});
const Collect = z.object({ request: z.object({ metadata_url: z.url() }) });
const Document = z.object({
  deployments: z.array(
    z.object({ inputs: z.array(z.object({ name: z.string(), value: z.unknown() })) }),
  ),
});

const metadataUrlOf = async ({ host, token }: World): Promise<string> => {
  const headers = { "X-Auth-Token": token };
  const url = `${host.url}/v1/demo/stacks`;
  const body = JSON.stringify({ stack_name: "web", template: SOFTWARE_TEMPLATE });
  expect((await ask(url, headers, { method: "POST", body })).status).toBe(201);
  let polled = "";
  await expect
    .poll(
      async () => {
        const found = await ask(`${url}/web`, headers);
        const shown = await ask(String(found.headers.location), headers);
        const { stack } = StackAnswer.parse(JSON.parse(shown.body));
        const collect = Collect.safeParse(stack.outputs[0]?.output_value);
        polled = collect.data?.request.metadata_url ?? "";
        return polled;
      },
      { timeout: 20_000 },
    )
    .not.toBe("");
  return polled;
};

describe("a listener for agents", () => {
  it("answers the signed URLs, which lead to it", async () => {
    const world = await withAgents();
    const agentsUrl = present(world.host.listening.agentsUrl, "the agents' listener");
    const metadataUrl = new URL(await metadataUrlOf(world));
    expect(metadataUrl.origin).toBe("https://hearth.test:8005");
    const here = (url: string) => `${agentsUrl}${url.slice(new URL(url).origin.length)}`;

    const headers = { Host: metadataUrl.host };
    let signalUrl = "";
    await expect
      .poll(
        async () => {
          const answer = await ask(here(metadataUrl.href), headers);
          const { deployments } = Document.parse(JSON.parse(answer.body));
          const inputs = deployments[0]?.inputs ?? [];
          signalUrl = String(inputs.find(({ name }) => name === "deploy_signal_id")?.value ?? "");
          return signalUrl;
        },
        { timeout: 20_000 },
      )
      .toMatch(/^https:\/\/hearth\.test:8005\/v1\/agent\/signal\//);
    const report = { method: "PUT", body: JSON.stringify({ deploy_status_code: 0 }) };
    expect((await ask(here(signalUrl), headers, report)).status).toBe(200);
    // The other listener still answers URLs from before.
    const other = `${world.host.url}${metadataUrl.pathname}${metadataUrl.search}`;
    expect((await ask(other)).status).toBe(200);
  });

  it("answers nothing else, not even with a token", async () => {
    const { host, token } = await withAgents();
    const agentsUrl = present(host.listening.agentsUrl, "the agents' listener");
    for (const path of [
      "/",
      "/_health",
      "/_dev/rows",
      "/v1/demo/stacks",
      "/v1/demo/_health",
      "/v1/agent/stacks",
      "/v1/agent/metadata",
      "/v1/agent/metadata/a/b",
    ]) {
      const { status, body } = await ask(`${agentsUrl}${path}`, { "X-Auth-Token": token });
      expect([path, status]).toEqual([path, 404]);
      expect(JSON.parse(body)).toMatchObject({ code: 404 });
    }
    const wrongMethod = await ask(`${agentsUrl}/v1/agent/metadata/x`, {}, { method: "DELETE" });
    expect(wrongMethod.status).toBe(405);
  });

  it("knows its own names only", async () => {
    const { host } = await withAgents();
    const agentsUrl = present(host.listening.agentsUrl, "the agents' listener");
    const url = `${agentsUrl}/v1/agent/metadata/x?kid=x&exp=0&gen=1&sig=x`;
    expect((await ask(url, { Host: "hearth.test:8005" })).status).toBe(404);
    expect((await ask(url, { Host: "evil.example" })).status).toBe(403);
  });
});

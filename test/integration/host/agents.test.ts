import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import type { Json } from "#lib/json.ts";
import { sendSignal } from "../../../apps/agent/signal.ts";
import { at, send, waitForStack } from "./host-client.ts";

const TEMPLATE = {
  heat_template_version: "2016-10-14",
  resources: {
    server: { type: "OS::Heat::DeployedServer", properties: { name: "web" } },
    config: {
      type: "OS::Heat::SoftwareConfig",
      properties: { group: "script", config: "#!/bin/sh", outputs: [{ name: "result" }] },
    },
    deployment: {
      type: "OS::Heat::SoftwareDeployment",
      properties: { config: { get_resource: "config" }, server: { get_resource: "server" } },
    },
  },
  outputs: {
    agent: { value: { get_attr: ["server", "os_collect_config"] } },
    result: { value: { get_attr: ["deployment", "result"] } },
  },
};

let host: Host;
beforeEach(async () => {
  host = await startHost({ port: 0, data: null });
  await send(host.url, "POST", "/v1/demo/stacks", { stack_name: "app", template: TEMPLATE });
});
afterEach(() => host.stop());

const output = async (key: string): Promise<Json | undefined> => {
  const path = `/v1/demo/stacks/app`;
  const { body } = await send(host.url, "GET", path);
  const outputs = at(body, "stack", "outputs");
  const found = (Array.isArray(outputs) ? outputs : []).find((o) => at(o, "output_key") === key);
  return at(found, "output_value");
};

const metadataUrl = async (): Promise<string> => {
  await expect
    .poll(async () => at(await output("agent"), "request", "metadata_url"))
    .toMatch(/^http/);
  return String(at(await output("agent"), "request", "metadata_url"));
};

const published = async (url: string): Promise<ReadonlyMap<string, string>> => {
  await expect
    .poll(async () => at((await send("", "GET", url)).body, "deployments", 0, "id"))
    .toBeDefined();
  const inputs = at((await send("", "GET", url)).body, "deployments", 0, "inputs");
  return new Map(
    (Array.isArray(inputs) ? inputs : []).map((input) => [
      String(at(input, "name")),
      String(at(input, "value")),
    ]),
  );
};

describe("an agent's routes on the host", () => {
  it("serve a document that costs nothing while it is unchanged", async () => {
    const url = await metadataUrl();
    await published(url);
    const first = await fetch(url);
    expect(first.headers.get("Content-Type")).toBe("application/json");
    const etag = first.headers.get("ETag") ?? "";
    const again = await fetch(url, { headers: { "If-None-Match": etag } });
    expect([again.status, await again.text()]).toEqual([304, ""]);
    const head = await fetch(url, { method: "HEAD" });
    expect([head.status, head.headers.get("ETag"), await head.text()]).toEqual([200, null, ""]);
  });

  it("refuse a document whose signature is not ours", async () => {
    const url = new URL(await metadataUrl());
    url.searchParams.set("sig", "AAAA");
    expect((await fetch(url)).status).toBe(403);
  });

  it("accept a signal, which wakes the deployment at once", async () => {
    const inputs = await published(await metadataUrl());
    const signalUrl = inputs.get("deploy_signal_id") ?? "";
    const method = inputs.get("deploy_signal_verb") ?? "POST";
    const answer = await send("", method, signalUrl, { result: "good", deploy_status_code: 0 });
    expect(answer.status).toBe(200);
    expect(await waitForStack(host.url, "app")).toBe("CREATE_COMPLETE");
    expect(await output("result")).toBe("good");
    const events = await send(host.url, "GET", "/v1/demo/stacks/app/events?resource_action=SIGNAL");
    expect(at(events.body, "events", 0, "resource_status_reason")).toMatch(/^Signal: deployment /);
    expect((await send("", method, signalUrl, { deploy_status_code: 1 })).status).toBe(200);
  });

  it("accept a result of megabytes, which the agent uploads first", async () => {
    const inputs = await published(await metadataUrl());
    const url = inputs.get("deploy_signal_id") ?? "";
    const printed = `${"line\n".repeat(700_000)}the end`;
    const body = { deploy_stdout: printed, deploy_status_code: 0 };
    const target = { url, verb: "PUT", takesUploads: true } as const;
    const stop = new AbortController().signal;
    expect(await sendSignal(target, body, { retryMs: 10, stop })).toEqual({
      delivery: "ACKNOWLEDGED",
      answer: "200",
    });
    expect(await waitForStack(host.url, "app")).toBe("CREATE_COMPLETE");
    const { body: listed } = await send(host.url, "GET", "/v1/demo/software_deployments");
    const id = String(at(listed, "software_deployments", 0, "id"));
    const path = `/v1/demo/software_deployments/${id}/output/deploy_stdout`;
    expect(await (await fetch(host.url + path)).text()).toBe(printed);
  });

  it("accept exactly the announced upload, and only at the given URL", async () => {
    const inputs = await published(await metadataUrl());
    const signalUrl = inputs.get("deploy_signal_id") ?? "";
    const sha256 = createHash("sha256").update("{}").digest("base64");
    const place = async (): Promise<string> => {
      const wish = { deploy_upload_bytes: 2, deploy_upload_sha256: sha256 };
      const answer = await send("", "POST", `${signalUrl}&upload=1`, wish);
      return String(at(answer.body, "upload_url"));
    };
    const put = async (url: string, body: string, method = "PUT"): Promise<number> => {
      const answer = await fetch(url, { method, body });
      await answer.text();
      return answer.status;
    };
    const url = await place();
    expect(await put(url, "[]")).toBe(400);
    expect(await put(url, "{} ")).toBe(400);
    expect(await put(url, "{}", "POST")).toBe(405);
    expect(await put(url.replace(/sig=[^&]*/, "sig=AAAA"), "{}")).toBe(403);
    expect(await put(url.replace("bytes=2", "bytes=3"), "{} ")).toBe(403);
    expect(await put(url.replace(/\?.*/, ""), "{}")).toBe(403);
    expect(await put(url, "x".repeat(6 * 1_024 * 1_024 + 1))).toBe(413);
    expect(await put(url, "{}")).toBe(200);
  });
});

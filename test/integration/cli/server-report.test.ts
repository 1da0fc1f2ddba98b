import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import { send, waitForStack } from "../host/host-client.ts";
import { hearth } from "./hearth-process.ts";

const SERVER = { type: "OS::Heat::DeployedServer" };
const NONE = { type: "OS::Heat::None" };

let host: Host;
beforeEach(async () => {
  host = await startHost({ port: 0, data: null });
  const resources = { web: SERVER, other: NONE };
  const template = { heat_template_version: "2018-08-31", resources };
  await send(host.url, "POST", "/v1/demo/stacks", { stack_name: "app", template });
  expect(await waitForStack(host.url, "app")).toBe("CREATE_COMPLETE");
});
afterEach(() => host.stop());

describe("server report", () => {
  const report = (...args: readonly string[]) =>
    hearth(host.url, "server", "report", "app", ...args);

  it("sends the whole report: with addresses, with none, or without a word about them", async () => {
    const cases = [
      [["--address", "10.0.0.4", "--address", "fd00::4"], { addresses: ["10.0.0.4", "fd00::4"] }],
      [["--no-address"], { addresses: [] }],
      [["--fault", "no valid host"], { addresses: null, fault: "no valid host" }],
    ] as const;
    for (const [options, expected] of cases) {
      const { code, stdout } = await report("web", "--status", "ACTIVE", ...options, "--json");
      expect(code).toBe(0);
      const document: unknown = JSON.parse(stdout);
      expect(document).toMatchObject({ report: { status: "ACTIVE", ...expected } });
    }
    const { stdout } = await report("web", "--status", "ERROR");
    expect(stdout).toBe("web is reported ERROR.\n");
  });

  it("refuses other resources and unknown statuses", async () => {
    const { code, stderr } = await report("other", "--status", "ACTIVE");
    expect([code, stderr]).toEqual([
      1,
      "ERROR: The stack app has no OS::Heat::DeployedServer other.\n",
    ]);
    expect((await report("web", "--status", "RUNNING")).code).toBe(2);
    expect((await report("web")).code).toBe(2);
  });
});

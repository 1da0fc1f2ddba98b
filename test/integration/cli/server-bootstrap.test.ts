import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import type { JsonObject } from "#lib/json.ts";
import { keyPair } from "../../tls/certificates.ts";
import { send, waitForStack } from "../host/host-client.ts";
import { hearth } from "./hearth-process.ts";

const SERVER = { type: "OS::Heat::DeployedServer" };
const SLOW = { type: "OS::Heat::TestResource", properties: { wait_secs: 2 } };

let host: Host;
beforeEach(async () => {
  host = await startHost({ port: 0, data: null });
});
afterEach(() => host.stop());

const create = async (resources: Readonly<Record<string, JsonObject>>) => {
  const template = { heat_template_version: "2018-08-31", resources };
  await send(host.url, "POST", "/v1/demo/stacks", { stack_name: "app", template });
  expect(await waitForStack(host.url, "app")).toBe("CREATE_COMPLETE");
};

const bootstrap = (...args: readonly string[]) =>
  hearth(host.url, "server", "bootstrap", "app", "--local", ...args);

describe("server bootstrap", () => {
  it("prints a script with the metadata URL of the only server", async () => {
    await create({ web: SERVER, other: { type: "OS::Heat::None" } });
    const { code, stdout } = await bootstrap("--format", "script");
    expect(code).toBe(0);
    const url = /^url='(.+)'$/m.exec(stdout)?.[1] ?? "";
    const answers = await Promise.all([url, `${url}&boot=begun`].map((each) => fetch(each)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const tampered = await fetch(url.replace("gen=1", "gen=2"));
    expect(tampered.status).toBe(403);
  });

  it("prints one line by default, and everything with --json", async () => {
    await create({ web: SERVER });
    const line = await bootstrap();
    expect(line.stdout).toMatch(/^echo \S+ \| base64 -d \| gunzip \| sudo sh\n$/);
    const document: unknown = JSON.parse((await bootstrap("web", "--json")).stdout);
    expect(document).toMatchObject({ stack: "app", server: "web", line: line.stdout });
  });

  it("waits for the server of a stack that is just being created", async () => {
    const resources = { slow: SLOW, web: { ...SERVER, depends_on: "slow" } };
    const template = { heat_template_version: "2018-08-31", resources };
    await send(host.url, "POST", "/v1/demo/stacks", { stack_name: "app", template });
    for (const { code, stdout } of await Promise.all([bootstrap(), bootstrap("web")])) {
      expect([code, stdout.slice(0, 5)]).toEqual([0, "echo "]);
    }
  });

  it("refuses a URL that other machines cannot reach", async () => {
    await create({ web: SERVER });
    const { code, stdout, stderr } = await hearth(host.url, "server", "bootstrap", "app");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toBe(
      `ERROR: The agents' URL is ${host.url}, which other machines cannot reach. Start the host with --listen and --public-url (a certificate and tokens are needed), or give --local for an agent on this machine.\n`,
    );
  });

  it("carries only the certificates of --ca-file", async () => {
    await create({ web: SERVER });
    const folder = mkdtempSync(join(tmpdir(), "hearth-bootstrap-"));
    const { cert, key } = keyPair("alone");
    const both = join(folder, "both");
    writeFileSync(both, readFileSync(key, "utf8") + readFileSync(cert, "utf8"));
    const { stdout } = await bootstrap("--format", "script", "--ca-file", both);
    expect(stdout).toContain(readFileSync(cert, "utf8").trim());
    expect(stdout).not.toContain("PRIVATE");
    rmSync(folder, { recursive: true });
  });

  it("asks for the server if there are several", async () => {
    await create({ web: SERVER, db: SERVER });
    const { code, stderr } = await bootstrap();
    expect([code, stderr]).toEqual([2, "ERROR: Say which server of app: web, db.\n"]);
    expect((await bootstrap("db")).code).toBe(0);
  });

  it("finds the servers of a group by the names that lists have", async () => {
    const properties = { count: 2, resource_def: SERVER };
    await create({ group: { type: "OS::Heat::ResourceGroup", properties } });
    const { code, stderr } = await bootstrap();
    expect([code, stderr]).toEqual([2, "ERROR: Say which server of app: group/0, group/1.\n"]);
    const document: unknown = JSON.parse((await bootstrap("group/1", "--json")).stdout);
    expect(document).toMatchObject({ stack: expect.stringMatching(/^app-group-/), server: "1" });
  });

  it("refuses other resources with an explanation", async () => {
    await create({ other: { type: "OS::Heat::None" } });
    expect((await bootstrap()).stderr).toBe(
      "ERROR: The stack app has no OS::Heat::DeployedServer.\n",
    );
    const { code, stderr } = await bootstrap("other");
    expect([code, stderr]).toEqual([
      1,
      "ERROR: other has no metadata URL, its status is CREATE_COMPLETE. It is not a server, or not ready yet.\n",
    ]);
    expect((await bootstrap("absent")).stderr).toBe(
      "ERROR: The Resource (absent) could not be found in Stack app.\n",
    );
    expect((await bootstrap("--agent", "chef")).code).toBe(2);
  });
});

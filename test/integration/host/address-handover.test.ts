import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Host, startHost } from "#host/host.ts";
import type { JsonObject } from "#lib/json.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";
import { type EngineDouble, startEngineDouble } from "../../docker/engine-double.ts";
import { handoversAt } from "../../docker/handover-play.ts";
import { IMAGE, providerAt } from "../../docker/provider-play.ts";
import { at, newestEvent, send, waitForStack } from "./host-client.ts";

let folder: string;
let engine: EngineDouble;
let host: Host;
beforeEach(async () => {
  folder = freshFolder();
  engine = await startEngineDouble(join(folder, "engine.sock"));
  engine.state.images.set(IMAGE, ["/bin/sh"]);
  host = await startHost({ port: 0, data: null, cloud: providerAt(engine.socketPath) });
});
afterEach(async () => {
  await host.stop();
  await engine.stop();
  removeFolder(folder);
});

const bodyOf = (text: string, fail: boolean): JsonObject => ({
  disable_rollback: false,
  template: JSON.stringify({
    heat_template_version: "2018-08-31",
    resources: {
      net: { type: "OS::Neutron::Net" },
      subnet: {
        type: "OS::Neutron::Subnet",
        properties: { network: { get_resource: "net" }, cidr: "10.85.0.0/24" },
      },
      port: {
        type: "OS::Neutron::Port",
        properties: { network: { get_resource: "net" } },
        depends_on: "subnet",
      },
      web: {
        type: "OS::Nova::Server",
        properties: {
          image: IMAGE,
          flavor: "1c-64m",
          networks: [{ port: { get_resource: "port" } }],
          user_data_format: "RAW",
          user_data: `#!/bin/sh\necho ${text}\n`,
        },
      },
      last: {
        type: "OS::Heat::TestResource",
        properties: { value: text, fail },
        depends_on: "web",
      },
    },
  }),
});

const update = async (body: JsonObject): Promise<string> => {
  const marker = await newestEvent(host.url, "app");
  const { body: found } = await send(host.url, "GET", "/v1/demo/stacks/app");
  await send(host.url, "PUT", `/v1/demo/stacks/app/${at(found, "stack", "id")}`, body);
  return waitForStack(host.url, "app", marker);
};

const servers = () =>
  [...engine.state.containers.values()].map(({ name, status, addresses }) => ({
    name,
    status,
    addresses: [...addresses.values()],
  }));

it("keeps its address in a replacement, and gets it back in a rollback", async () => {
  await send(host.url, "POST", "/v1/demo/stacks", { stack_name: "app", ...bodyOf("one", false) });
  expect(await waitForStack(host.url, "app")).toBe("CREATE_COMPLETE");
  const before = servers();
  expect(before).toMatchObject([{ status: "running", addresses: ["10.85.0.254"] }]);

  expect(await update(bodyOf("two", true))).toBe("ROLLBACK_COMPLETE");
  expect(servers()).toEqual(before);

  expect(await update(bodyOf("three", false))).toBe("UPDATE_COMPLETE");
  const [after, ...others] = servers();
  expect(others).toEqual([]);
  expect(after).toMatchObject({ status: "running", addresses: ["10.85.0.254"] });
  expect(after?.name).not.toBe(before[0]?.name);
  expect(await handoversAt(engine.socketPath)).toEqual([]);
});

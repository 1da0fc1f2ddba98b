import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "#lib/json.ts";
import { serveMetadata } from "#lib/software-config/document/serve-metadata.ts";
import { receiveSignal } from "#lib/software-config/signals/receive-signal.ts";
import { at, createStack, openWorld, textAt, type World } from "./api-world.ts";
import { waitingDeployment } from "./deployment-world.ts";

const PRINTED = "x".repeat(200_000);

/** After a CREATE and an UPDATE the record's generation is above that of the adopting row. */
const updatedDeployment = async () => {
  const site = await waitingDeployment();
  const { world, path, serverId } = site;
  const end = async (result: JsonObject): Promise<void> => {
    await site.signal(await site.signalUrl(), { deploy_status_code: 0, ...result });
    await world.settle();
  };
  const update = async (stack: string, server: JsonObject, a: number): Promise<void> => {
    const { body } = await world.send("GET", `${stack}/template`);
    const template = JSON.parse(JSON.stringify(body), (key, value: Json): Json => {
      if (key === "server" && at(value, "type") === "OS::Heat::DeployedServer") {
        return { type: "OS::Heat::DeployedServer", properties: server };
      }
      return key === "input_values" ? { a } : value;
    });
    await world.send("PUT", stack, { template });
    await site.goOn();
  };
  const input = async (): Promise<Json | undefined> =>
    (await document(world, serverId, "deployments")).match(/"name":"a"[^}]*"value":"(\d)"/)?.[1];
  await end({});
  await update(path, {}, 2);
  await end({ deploy_stdout: PRINTED });
  return { ...site, end, update, input };
};

const stateOf = async (world: World, path: string): Promise<string> =>
  textAt((await world.send("GET", path)).body, "stack", "stack_status");

const document = async (world: World, serverId: string, part: string): Promise<string> => {
  const grant = { tenant: "demo", kind: "metadata" as const, id: serverId, exp: 0, gen: 1 };
  const { kid, sig } = world.ports.signer.sign(grant);
  const query = { kid, sig, exp: "0", gen: "1" };
  const served = await serveMetadata(world.ports, serverId, { method: "GET", query });
  return JSON.stringify(at(served.document ?? {}, part));
};

const abandon = async (world: World, path: string): Promise<Json> => {
  const { body } = await world.send("DELETE", `${path}/abandon`);
  await world.settle();
  return body;
};

const adopt = async (world: World, adopt_stack_data: Json): Promise<string> => {
  const path = await createStack(world, "second", { adopt_stack_data });
  await world.settle();
  return path;
};

describe("an adopted deployment and its server", () => {
  it("run nothing again, and receive the next update and the delete as before", async () => {
    const site = await updatedDeployment();
    const { world, serverId } = site;
    const polled = await document(world, serverId, "deployments");
    const path = await adopt(world, await abandon(world, site.path));
    expect(await stateOf(world, path)).toBe("ADOPT_COMPLETE");
    expect(await document(world, serverId, "deployments")).toBe(polled);
    const shown = await world.read(`${site.url}/output/deploy_stdout`);
    expect(shown.body).toBe(PRINTED);

    await site.update(path, { metadata: { key: "given" } }, 3);
    expect(await stateOf(world, path)).toBe("UPDATE_IN_PROGRESS");
    expect(await site.input()).toBe("3");
    expect(await document(world, serverId, "key")).toBe('"given"');
    await site.end({});
    expect(await stateOf(world, path)).toBe("UPDATE_COMPLETE");

    await world.send("DELETE", path);
    await world.settle();
    expect(await stateOf(world, path)).toBe("DELETE_COMPLETE");
    expect(await world.ports.softwareConfigs.getDeployment(serverId, site.id)).toBeNull();
    expect(await world.ports.softwareConfigs.getServer(serverId)).toBeNull();
  });

  it("are out of reach for another tenant with their ids", async () => {
    const site = await updatedDeployment();
    const { world, serverId, id } = site;
    const { body } = await world.send("GET", `${site.path}/export`);
    const server = { type: "OS::Heat::DeployedServer" };
    const dep = {
      type: "OS::Heat::SoftwareDeployment",
      properties: { server: serverId, actions: ["RESUME"] },
    };
    for (const [name, definition] of Object.entries({ server, dep })) {
      const template = { heat_template_version: "2016-10-14", resources: { [name]: definition } };
      const resources = at(body, "resources") ?? null;
      const answer = await world.send("POST", "/v1/other/stacks", {
        stack_name: name,
        adopt_stack_data: { template, resources },
      });
      await world.settle();
      const path = `/v1/other/stacks/${name}/${textAt(answer.body, "stack", "id")}`;
      expect(await stateOf(world, path)).toBe("ADOPT_FAILED");
      await world.send("DELETE", path);
      await world.settle();
      expect(await stateOf(world, path)).toBe("DELETE_COMPLETE");
    }
    expect(await world.ports.softwareConfigs.getDeployment(serverId, id)).not.toBeNull();
    expect(await world.ports.softwareConfigs.getServer(serverId)).not.toBeNull();
  });
});

describe("an adopted wait condition handle", () => {
  it("is a new one, since the old one signals to a deleted stack", async () => {
    const world = openWorld();
    const template = {
      heat_template_version: "2016-10-14",
      resources: { handle: { type: "OS::Heat::WaitConditionHandle" } },
    };
    const former = await createStack(world, "former", { template });
    await world.settle();
    const path = await adopt(world, await abandon(world, former));
    const { body } = await world.send("GET", `${path}/resources/handle`);
    const url = new URL(textAt(body, "resource", "attributes", "endpoint"));
    const query = Object.fromEntries(url.searchParams);
    const id = url.pathname.split("/").at(-1) ?? "";
    const answer = await receiveSignal(world.ports, id, { method: "POST", query, body: "{}" });
    expect(answer.effect).toBe("result stored");
  });
});

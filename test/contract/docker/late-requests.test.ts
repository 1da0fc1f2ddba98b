/**
 * A request whose connection was cut, and that the engine carries out late: just after the repeated
 * call has looked for what the former call has made, and has found nothing.
 */
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { present } from "#lib/errors.ts";
import type { ProvidedType } from "#provider/provider.ts";
import { type BackEnd, backEndOf } from "#providers/docker/back-end.ts";
import { openEngine } from "#providers/docker/engine/client.ts";
import { net } from "#providers/docker/types/net.ts";
import { port } from "#providers/docker/types/port.ts";
import { subnet } from "#providers/docker/types/subnet.ts";
import { type EngineDouble, startEngineDouble } from "../../docker/engine-double.ts";
import { freshFolder, removeFolder } from "../folders.ts";
import { callOf } from "../provider-call.ts";

let folder: string;
let engine: EngineDouble;
let backEnd: BackEnd;
beforeEach(async () => {
  folder = freshFolder();
  engine = await startEngineDouble(join(folder, "engine.sock"), "docker");
  const settings = { agentProgram: async () => "", defaultNetwork: null };
  backEnd = backEndOf(openEngine({ socketPath: engine.socketPath }), settings);
});
afterEach(async () => {
  await engine.stop();
  removeFolder(folder);
});

const idOf = async (type: ProvidedType, name: string, properties: object): Promise<string> => {
  const made = await type.create(callOf(name, { properties: { ...properties } }));
  return present("physicalId" in made ? made.physicalId : undefined, `the id of ${name}`);
};

it("leaves a port one address, although its first request arrives late", async () => {
  const network = await idOf(net(backEnd), "the net", { name: "front" });
  await idOf(subnet(backEnd), "the subnet", { network, cidr: "10.87.0.0/24" });
  const call = callOf("the port", { properties: { network } });
  let looks = 0;
  const volumes: BackEnd["volumes"] = {
    ...backEnd.volumes,
    list: async (labels) => {
      looks += 1;
      // The first look is for the port itself. The cut request is carried out after it.
      if (looks === 2) await port(backEnd).create(call);
      return backEnd.volumes.list(labels);
    },
  };
  const made = await port({ ...backEnd, volumes }).create(call);
  expect(looks).toBeGreaterThan(2);
  expect(made).toMatchObject({ state: "finished" });
  expect(await port(backEnd).list?.({})).toHaveLength(1);
});

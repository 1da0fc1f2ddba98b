/**
 * The provider of Docker on both kinds of the double. `npm run lane -- docker` uses real engines.
 */
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CuttingProxy, startCuttingProxy } from "../../docker/cutting-proxy.ts";
import { type EngineDouble, startEngineDouble } from "../../docker/engine-double.ts";
import {
  BARE_IMAGE,
  IMAGE,
  KIT_CASES,
  playFaults,
  playKit,
  playNetworkFaults,
  SPOILT_RECORDS,
  SPOILT_SERVER,
  typeAt,
} from "../../docker/provider-play.ts";
import { freshFolder, removeFolder } from "../folders.ts";
import { callOf } from "../provider-call.ts";

describe.each(["docker", "podman"] as const)("the provider on a double of %s", (kind) => {
  let folder: string;
  let engine: EngineDouble;
  let proxy: CuttingProxy;
  beforeEach(async () => {
    folder = freshFolder();
    engine = await startEngineDouble(join(folder, "engine.sock"), kind);
    engine.state.images.set(IMAGE, ["/bin/sh", "/usr/local/bin/node"]);
    engine.state.images.set(BARE_IMAGE, ["/bin/sh"]);
    proxy = await startCuttingProxy(engine.socketPath, join(folder, "proxy.sock"));
  });
  afterEach(async () => {
    await proxy.stop();
    await engine.stop();
    removeFolder(folder);
  });

  const cases = kind === "docker" ? KIT_CASES : KIT_CASES.map(({ changed: _, ...rest }) => rest);
  it.each(cases)("keeps the contract of plug-ins with $type", async (one) => {
    const results = await playKit(engine.socketPath, one);
    expect(results.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    expect(results.length).toBeGreaterThan(9);
  });

  it.each(KIT_CASES)("names each $type with a project's mark to that project", async (one) => {
    const type = typeAt(engine.socketPath, one.type);
    const { properties = {} } = one;
    const made = await type.create(callOf("mine", { properties, tenant: "mine" }));
    await type.create(
      callOf("theirs", { properties: { ...properties, name: "x" }, tenant: "theirs" }),
    );
    const physicalId = "physicalId" in made ? made.physicalId : null;
    const mark = { stackId: "stack-1", stackName: "app", resourceName: "thing" };
    expect(await type.marked?.("mine")).toEqual([{ ...mark, physicalId }]);
  });

  it.each([SPOILT_SERVER, ...SPOILT_RECORDS])(
    "makes one $type whichever request is spoilt, and leaves none",
    async (one) => {
      const results = await playFaults(engine.socketPath, proxy, one);
      expect(results.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
      expect(results).toHaveLength(8);
    },
  );

  it("makes one subnet and one port whichever request is spoilt, and leaves none", async () => {
    const results = await playNetworkFaults(engine.socketPath, proxy, "10.87.0.0/24");
    expect(results.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    expect(results).toHaveLength(16);
    expect(engine.state.volumes.size).toBe(0);
    expect([...engine.state.networks.keys()]).toEqual(["id-bridge"]);
  });
});

import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import type { TakenMachine } from "#lib/model/software-config.ts";
import type { SoftwareConfigStore } from "#lib/ports/software-config-store.ts";
import { eventually } from "#test/aws/eventually.ts";
import { eachTest, type Open } from "./opened.ts";
import { otherProjects } from "./other-projects.contract.ts";
import { aDeployment, NOW } from "./records.ts";
import { sightings } from "./sightings.contract.ts";
import { aConfig, aPlace, aServer, aSighting, aTarget } from "./software-records.ts";

const SETTLED_MS_MAX = 10_000;

const configsAndServers = (open: Open<SoftwareConfigStore>): void => {
  const store = eachTest(open);

  it("never changes a config, and shows it to its tenant only", async () => {
    const config = aConfig();
    expect(await store().getConfig("tenant", config.id)).toBeNull();
    await store().putConfig(config);
    await store().putConfig({ ...config, content: "other" });
    expect(await store().getConfig("tenant", config.id)).toEqual(config);
    expect(await store().getConfig("stranger", config.id)).toBeNull();
    await store().deleteConfig("stranger", config.id);
    expect(await store().getConfig("tenant", config.id)).toEqual(config);
    await store().deleteConfig("tenant", config.id);
    await store().deleteConfig("tenant", config.id);
    expect(await store().getConfig("tenant", config.id)).toBeNull();
  });

  it("lists the configs of a tenant without the records beside them", async () => {
    const tenant = randomUUID();
    expect(await store().listConfigs(tenant)).toEqual([]);
    const mine = [aConfig(), aConfig()].map((config) => ({ ...config, tenant }));
    for (const config of [...mine, aConfig()]) await store().putConfig(config);
    await store().putDeploymentPlace({ ...aPlace(), tenant });
    const listed = await store().listConfigs(tenant);
    expect(listed).toHaveLength(2);
    expect(listed).toEqual(expect.arrayContaining(mine));
  });

  it("replaces and deletes a server's record", async () => {
    const server = aServer();
    expect(await store().getServer(server.id)).toBeNull();
    expect(await store().putServer(server)).toBe(true);
    expect(await store().putServer({ ...server, gen: 2 })).toBe(true);
    expect(await store().getServer(server.id)).toEqual({ ...server, gen: 2 });
    await store().deleteServer(server.tenant, server.id);
    await store().deleteServer(server.tenant, server.id);
    expect(await store().getServer(server.id)).toBeNull();
  });

  it("keeps the first target of a signal", async () => {
    const target = aTarget();
    expect(await store().getSignalTarget(target.derivedConfigId)).toBeNull();
    await store().putSignalTarget(target);
    await store().putSignalTarget({ ...target, generation: 2 });
    expect(await store().getSignalTarget(target.derivedConfigId)).toEqual(target);
  });

  it("replaces the target of a signal", async () => {
    const target = aTarget();
    await store().putSignalTarget(target);
    const sooner = { ...target, expiresAt: target.expiresAt - 1 };
    await store().replaceSignalTarget(sooner);
    expect(await store().getSignalTarget(target.derivedConfigId)).toEqual(sooner);
  });

  it("keeps the target of a signal without a deployment", async () => {
    const target = { ...aTarget(), deploymentId: null };
    await store().putSignalTarget(target);
    expect(await store().getSignalTarget(target.derivedConfigId)).toEqual(target);
  });
};

const deployments = (open: Open<SoftwareConfigStore>): void => {
  const store = eachTest(open);

  it("publishes only over a deployment of an older generation", async () => {
    const deployment = aDeployment();
    const { serverId, id } = deployment;
    const stored = () => store().getDeployment(serverId, id);
    expect(await store().publishDeployment(deployment)).toBe(true);
    expect(await store().publishDeployment({ ...deployment, generation: 1 })).toBe(false);
    expect(await store().publishDeployment({ ...deployment, name: "again" })).toBe(false);
    expect(await stored()).toEqual(deployment);
    expect(await store().publishDeployment({ ...deployment, generation: 3 })).toBe(true);
    expect(await stored()).toEqual({ ...deployment, generation: 3 });
  });

  it("changes a deployment only if it stands as it was read", async () => {
    const read = aDeployment();
    const { serverId, id } = read;
    const next = { ...read, delivery: 2, statusReason: "again", wholeOutputOf: 2 };
    const stored = () => store().getDeployment(serverId, id);
    expect(await store().changeDeployment(next, read)).toBe(false);
    expect(await stored()).toBeNull();
    await store().publishDeployment(read);
    for (const other of [{ generation: 1 }, { delivery: 2 }, { status: "FAILED" as const }]) {
      expect(await store().changeDeployment(next, { ...read, ...other })).toBe(false);
    }
    expect(await stored()).toEqual(read);
    expect(await store().changeDeployment(next, read)).toBe(true);
    expect(await store().changeDeployment(next, read)).toBe(false);
    expect(await stored()).toEqual(next);
  });

  it("lets exactly one of several racing changes win", async () => {
    const read = aDeployment();
    await store().publishDeployment(read);
    const changes = [1, 2, 3, 4].map((number) =>
      store().changeDeployment({ ...read, delivery: 2, statusReason: `by ${number}` }, read),
    );
    expect((await Promise.all(changes)).filter(Boolean)).toHaveLength(1);
  });

  it("does not let an older generation delete a newer one's deployment", async () => {
    const deployment = aDeployment();
    const { serverId, id } = deployment;
    await store().publishDeployment(deployment);
    await store().deleteDeployment(deployment, 1);
    expect(await store().getDeployment(serverId, id)).toEqual(deployment);
    await store().deleteDeployment(deployment, 2);
    await store().deleteDeployment(deployment, 2);
    expect(await store().getDeployment(serverId, id)).toBeNull();
  });

  it("reads a server with its deployments in one go", async () => {
    const server = aServer();
    const read = (reading: "strong" | "eventual") => store().getServerDocument(server.id, reading);
    expect(await read("strong")).toEqual({ server: null, deployments: [] });
    const mine = [
      aDeployment({ serverId: server.id }),
      aDeployment({ serverId: server.id, id: "0" }),
    ];
    for (const deployment of [...mine, aDeployment()]) await store().publishDeployment(deployment);
    expect(await read("strong")).toMatchObject({ server: null });
    await store().putServer(server);
    const strong = await read("strong");
    expect(strong.server).toEqual(server);
    expect(strong.deployments).toHaveLength(2);
    expect(strong.deployments).toEqual(expect.arrayContaining(mine));
    // An eventual read may lag, and shows the same in the end.
    const eventual = await eventually("an eventual read shows it", SETTLED_MS_MAX, async () => {
      const seen = await read("eventual");
      return seen.server !== null && seen.deployments.length === 2 ? seen : null;
    });
    expect(eventual.deployments).toEqual(expect.arrayContaining(mine));
    await store().deleteServer(server.tenant, server.id);
    expect((await read("strong")).server).toBeNull();
  });

  it("outlines a server's document in the end, without its configs and values", async () => {
    const server = aServer();
    const of = { serverId: server.id, tenant: server.tenant };
    const mine = aDeployment({ ...of, derivedConfig: "v1.AAAA", name: "install" });
    const { id, derivedConfigId, name, resourceName, action, createdAt } = mine;
    const outlined = { tenant: of.tenant, id, derivedConfigId, name, resourceName, action };
    const outline = () => store().getDocumentOutline(server.id);
    expect(await outline()).toEqual({ server: null, deployments: [] });
    await store().putServer(server);
    for (const deployment of [mine, aDeployment()]) await store().publishDeployment(deployment);
    const { tenant, gen, metadata } = server;
    const whole = {
      server: { tenant, id: server.id, gen, metadata },
      deployments: [{ ...outlined, createdAt }],
    };
    await eventually("the outline shows both", SETTLED_MS_MAX, async () => {
      const seen = await outline();
      return isDeepStrictEqual(seen, whole) ? seen : null;
    });
    await store().deleteServer(server.tenant, server.id);
    await store().deleteDeployment(mine, mine.generation);
    await eventually("the outline is empty", SETTLED_MS_MAX, async () => {
      const seen = await outline();
      return seen.server === null && seen.deployments.length === 0 ? seen : null;
    });
  });

  it("lists the deployments of one server", async () => {
    const serverId = randomUUID();
    expect(await store().listDeployments(serverId)).toEqual([]);
    const mine = [aDeployment({ serverId }), aDeployment({ serverId })];
    for (const deployment of [...mine, aDeployment()]) await store().publishDeployment(deployment);
    const listed = await store().listDeployments(serverId);
    expect(listed).toHaveLength(2);
    expect(listed).toEqual(expect.arrayContaining(mine));
  });
};

const places = (open: Open<SoftwareConfigStore>): void => {
  const store = eachTest(open);

  it("keeps the first place of a deployment, and shows it to its tenant only", async () => {
    const place = aPlace();
    const { tenant, id } = place;
    expect(await store().getDeploymentPlace(tenant, id)).toBeNull();
    await store().putDeploymentPlace(place);
    await store().putDeploymentPlace({ ...place, serverId: "other" });
    expect(await store().getDeploymentPlace(tenant, id)).toEqual(place);
    expect(await store().getDeploymentPlace("stranger", id)).toBeNull();
    await store().deleteDeploymentPlace("stranger", id);
    expect(await store().getDeploymentPlace(tenant, id)).toEqual(place);
    await store().deleteDeploymentPlace(tenant, id);
    await store().deleteDeploymentPlace(tenant, id);
    expect(await store().getDeploymentPlace(tenant, id)).toBeNull();
  });

  it("lists the places of a tenant's deployments", async () => {
    const tenant = randomUUID();
    expect(await store().listDeploymentPlaces(tenant)).toEqual([]);
    const mine = [aPlace(), aPlace()].map((place) => ({ ...place, tenant }));
    for (const place of [...mine, aPlace()]) await store().putDeploymentPlace(place);
    await store().putConfig({ ...aConfig(), tenant });
    const listed = await store().listDeploymentPlaces(tenant);
    expect(listed).toHaveLength(2);
    expect(listed).toEqual(expect.arrayContaining(mine));
  });

  it("keeps a deployment without input values", async () => {
    const deployment = aDeployment({ inputValues: null });
    await store().publishDeployment(deployment);
    const { serverId, id } = deployment;
    expect(await store().getDeployment(serverId, id)).toEqual(deployment);
  });
};

const aTaking = (changes: Partial<TakenMachine> = {}): TakenMachine => ({
  tenant: randomUUID(),
  name: "web-1",
  stackId: "stack",
  resourceName: "server",
  serverId: "first",
  ...changes,
});

const machines = (open: Open<SoftwareConfigStore>): void => {
  const store = eachTest(open);

  it("gives a machine to one server of a tenant until that server releases it", async () => {
    const taken = aTaking();
    const { tenant } = taken;
    expect(await store().listTakenMachines(tenant)).toEqual([]);
    expect(await store().takeMachine(taken)).toBe(true);
    expect(await store().takeMachine(taken)).toBe(true);
    const others = [
      { stackId: "other" },
      { resourceName: "other" },
      { resourceName: "other", serverId: null },
    ];
    for (const other of others) {
      expect(await store().takeMachine({ ...taken, ...other })).toBe(false);
      await store().releaseMachine({ ...taken, ...other });
    }
    expect(await store().listTakenMachines(tenant)).toEqual([taken]);
    expect(await store().takeMachine({ ...taken, tenant: randomUUID() })).toBe(true);
    await store().releaseMachine(taken);
    await store().releaseMachine(taken);
    expect(await store().listTakenMachines(tenant)).toEqual([]);
    expect(await store().takeMachine({ ...taken, stackId: "other" })).toBe(true);
  });

  it("leaves a machine to the server that replaces the one that had it", async () => {
    const first = aTaking();
    const second = { ...first, serverId: "second" };
    await store().takeMachine(first);
    expect(await store().takeMachine(second)).toBe(true);
    await store().releaseMachine(first);
    expect(await store().listTakenMachines(first.tenant)).toEqual([second]);
  });

  it("gives a port's machine to its server, and not back to a late port", async () => {
    const byPort = aTaking({ serverId: null });
    const byServer = { ...byPort, serverId: "first" };
    expect(await store().takeMachine(byPort)).toBe(true);
    expect(await store().takeMachine(byServer)).toBe(true);
    expect(await store().takeMachine(byPort)).toBe(false);
    await store().releaseMachine(byPort);
    expect(await store().listTakenMachines(byPort.tenant)).toEqual([byServer]);
  });

  it("releases a machine that only a port has taken", async () => {
    const byPort = aTaking({ serverId: null });
    await store().takeMachine(byPort);
    await store().releaseMachine({ ...byPort, serverId: "first" });
    expect(await store().listTakenMachines(byPort.tenant)).toEqual([byPort]);
    await store().releaseMachine(byPort);
    expect(await store().listTakenMachines(byPort.tenant)).toEqual([]);
  });

  it("lets one of several racing servers have a machine", async () => {
    const taken = aTaking();
    const racers = ["a", "b", "c", "d"].map((stackId) => ({ ...taken, stackId }));
    const won = await Promise.all(racers.map((racer) => store().takeMachine(racer)));
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await store().listTakenMachines(taken.tenant)).toEqual([racers[won.indexOf(true)]]);
  });
};

const evidence = (open: Open<SoftwareConfigStore>): void => {
  const store = eachTest(open);

  it("keeps one record with a count for each kind and target", async () => {
    const ofServer = aSighting();
    const ofDeployment = aSighting({ serverId: ofServer.serverId, deploymentId: "deployment" });
    const otherKind = { ...ofServer, kind: "expired" as const };
    expect(await store().getEvidence(ofServer)).toBeNull();
    expect(await store().listEvidence(ofServer.serverId)).toEqual([]);
    for (const seen of [ofServer, ofServer, ofDeployment, otherKind, aSighting()])
      await store().addEvidence(seen);
    expect(await store().getEvidence(ofServer)).toEqual({ ...ofServer, count: 2 });
    const listed = await store().listEvidence(ofServer.serverId);
    expect(listed).toHaveLength(3);
    expect(listed).toEqual(
      expect.arrayContaining([
        { ...ofServer, count: 2 },
        { ...ofDeployment, count: 1 },
        { ...otherKind, count: 1 },
      ]),
    );
  });

  it("counts every one of several racing sightings, and keeps the newest times", async () => {
    const seen = aSighting();
    const times = [1, 2, 3, 4, 5];
    await Promise.all(times.map(() => store().addEvidence(seen)));
    const last = { ...seen, lastSeenAt: NOW + 1, expiresAt: NOW + 20_000_000 };
    await store().addEvidence(last);
    expect(await store().getEvidence(seen)).toEqual({ ...last, count: 6 });
  });
};

export const softwareConfigStoreContract = (
  name: string,
  open: Open<SoftwareConfigStore>,
): void => {
  describe(name, () => {
    describe("configs, servers and signal targets", () => configsAndServers(open));
    describe("deployments", () => deployments(open));
    describe("places of deployments", () => places(open));
    describe("machines of an inventory", () => machines(open));
    describe("evidence", () => evidence(open));
    describe("sightings", () => sightings(open));
    describe("another project", () => otherProjects(open));
  });
};

/** The key of these records comes from outside, so another project may ask for it too. */
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { SoftwareConfigStore } from "#lib/ports/software-config-store.ts";
import { eachTest, type Open } from "./opened.ts";
import { aDeployment, NOW } from "./records.ts";
import { aServer, aSighting, aTarget } from "./software-records.ts";

const STRANGER = { tenant: "stranger", stackId: "theirs" };

export const otherProjects = (open: Open<SoftwareConfigStore>): void => {
  const store = eachTest(open);

  it("neither replaces nor deletes a server", async () => {
    const server = aServer();
    await store().putServer(server);
    expect(await store().putServer({ ...server, ...STRANGER, gen: 2 })).toBe(false);
    await store().deleteServer(STRANGER.tenant, server.id);
    expect(await store().getServer(server.id)).toEqual(server);
    await store().deleteServer(server.tenant, server.id);
    expect(await store().putServer({ ...server, ...STRANGER })).toBe(true);
  });

  it("neither publishes over a deployment, nor changes it, nor deletes it", async () => {
    const deployment = aDeployment();
    const theirs = { ...deployment, ...STRANGER, generation: 9 };
    await store().publishDeployment(deployment);
    expect(await store().publishDeployment(theirs)).toBe(false);
    expect(await store().changeDeployment(theirs, deployment)).toBe(false);
    await store().deleteDeployment(theirs, theirs.generation);
    const { serverId, id } = deployment;
    expect(await store().getDeployment(serverId, id)).toEqual(deployment);
    const moved = { ...deployment, stackId: "another of the same project", generation: 1 };
    expect(await store().changeDeployment(moved, deployment)).toBe(true);
  });

  it("does not replace the target of a signal", async () => {
    const target = aTarget();
    await store().putSignalTarget(target);
    await store().replaceSignalTarget({ ...target, ...STRANGER, generation: 9 });
    expect(await store().getSignalTarget(target.derivedConfigId)).toEqual(target);
  });

  it("adds nothing to what was seen of a server, and of its requests", async () => {
    const serverId = randomUUID();
    const owner = { tenant: "tenant", stackId: "stack", serverId, expiresAt: NOW + 10_000_000 };
    const delivery = { ...owner, deploymentId: "deployment", derivedConfigId: randomUUID() };
    const refused = aSighting({ serverId });
    await store().noteServer(owner, { lastPollAt: NOW });
    await store().noteDelivery(delivery, { fetchedAt: NOW });
    await store().addEvidence(refused);
    const read = async () => [
      await store().getServerSighting(serverId),
      await store().listDeliveries(serverId),
      await store().listEvidence(serverId),
    ];
    const before = await read();
    await store().noteServer({ ...owner, ...STRANGER }, { lastPollAt: NOW + 1 });
    await store().noteDelivery({ ...delivery, ...STRANGER }, { fetchedAt: NOW + 1 });
    await store().addEvidence({ ...refused, ...STRANGER, lastSeenAt: NOW + 1 });
    expect(await read()).toEqual(before);
    await store().noteServer({ ...owner, stackId: "another of the same project" }, {});
    expect(await store().getServerSighting(serverId)).toMatchObject({ lastPollAt: NOW });
  });
};

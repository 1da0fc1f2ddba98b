/** What every adapter must do with sightings of servers and deliveries. */
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import {
  type DeliverySighting,
  NOTHING_SEEN_OF_DELIVERY,
  NOTHING_SEEN_OF_SERVER,
  type ServerFindings,
  type SightedDelivery,
  type SightedServer,
} from "#lib/model/sighting.ts";
import type { SoftwareConfigStore } from "#lib/ports/software-config-store.ts";
import { eachTest, type Open } from "./opened.ts";
import { NOW } from "./records.ts";

const aServer = (): SightedServer => ({
  tenant: "tenant",
  stackId: "stack",
  serverId: randomUUID(),
  expiresAt: NOW + 10_000_000,
});

const aDelivery = (server: SightedServer): SightedDelivery => ({
  ...server,
  deploymentId: randomUUID(),
  derivedConfigId: randomUUID(),
});

const WHOLE: ServerFindings = {
  firstPollAt: NOW,
  lastPollAt: NOW + 1,
  servedVersion: "served",
  servedAt: NOW + 2,
  appliedVersion: "applied",
  appliedAt: NOW + 3,
  bootBegunAt: NOW + 4,
  bootInstalledAt: NOW + 5,
  bootFailedAt: NOW + 6,
  address: "10.0.0.4",
  agent: "hearth-agent",
  tools: ["script", "ansible"],
  unsentConfigId: "unsent",
  reportedStatus: "ACTIVE",
  reportedAddresses: [],
  reportedFault: "none",
  reportedAt: NOW + 7,
};

export const sightings = (open: Open<SoftwareConfigStore>): void => {
  const store = eachTest(open);

  it("keeps earlier findings about a server, and removes those set to null", async () => {
    const server = aServer();
    const { serverId } = server;
    expect(await store().getServerSighting(serverId)).toBeNull();
    await store().noteServer(server, { firstPollAt: NOW, unsentConfigId: "unsent" });
    const first = { ...NOTHING_SEEN_OF_SERVER, ...server, firstPollAt: NOW };
    expect(await store().getServerSighting(serverId)).toEqual({
      ...first,
      unsentConfigId: "unsent",
    });
    const later = { ...server, expiresAt: NOW + 20_000_000 };
    await store().noteServer(later, { lastPollAt: NOW + 1, unsentConfigId: null });
    const seen = { ...first, ...later, lastPollAt: NOW + 1 };
    expect(await store().getServerSighting(serverId)).toEqual(seen);
    await store().noteServer(later, WHOLE);
    expect(await store().getServerSighting(serverId)).toEqual({ ...later, ...WHOLE });
    expect(await store().listDeliveries(serverId)).toEqual([]);
    expect(await store().listEvidence(serverId)).toEqual([]);
  });

  it("loses no finding when several notes about one server race", async () => {
    const server = aServer();
    await Promise.all([
      store().noteServer(server, { lastPollAt: NOW }),
      store().noteServer(server, { reportedStatus: "SHUTOFF", reportedAt: NOW }),
      store().noteServer(server, { bootBegunAt: NOW }),
    ]);
    expect(await store().getServerSighting(server.serverId)).toMatchObject({
      lastPollAt: NOW,
      reportedStatus: "SHUTOFF",
      bootBegunAt: NOW,
    });
  });

  it("keeps one roll of polls for each writer of a shard", async () => {
    const shard = `polls#${randomUUID()}`;
    expect(await store().listPollRolls(shard)).toEqual([]);
    const rollOf = (writer: string, polls: Readonly<Record<string, number>>) => ({
      shard,
      writer,
      polls,
      expiresAt: NOW + 10_000_000,
    });
    const [server, other] = [randomUUID(), randomUUID()];
    await store().putPollRoll(rollOf("first", { [server]: NOW, [other]: NOW }));
    const again = rollOf("first", { [server]: NOW + 30_000 });
    await store().putPollRoll(again);
    const second = rollOf("second", { [other]: NOW + 1 });
    await store().putPollRoll(second);
    await store().putPollRoll({ ...second, shard: `polls#${randomUUID()}` });
    const listed = await store().listPollRolls(shard);
    expect(listed).toHaveLength(2);
    expect(listed).toEqual(expect.arrayContaining([again, second]));
    expect(await store().getServerSighting(server)).toBeNull();
  });

  it("keeps findings about a delivery, and lists the deliveries of one server", async () => {
    const server = aServer();
    const [one, other] = [aDelivery(server), aDelivery(server)];
    expect(await store().getDelivery(server.serverId, one.derivedConfigId)).toBeNull();
    await store().noteDelivery(one, { fetchedAt: NOW, tool: "script", publishedAt: NOW - 1 });
    await store().noteDelivery(one, { startedAt: NOW + 1, heartbeats: 1, outputTail: "sealed" });
    await store().noteDelivery(other, { fetchedAt: NOW });
    await store().noteDelivery(aDelivery(aServer()), { fetchedAt: NOW });
    const first: DeliverySighting = {
      ...NOTHING_SEEN_OF_DELIVERY,
      ...one,
      publishedAt: NOW - 1,
      tool: "script",
      fetchedAt: NOW,
      startedAt: NOW + 1,
      heartbeats: 1,
      outputTail: "sealed",
    };
    expect(await store().getDelivery(server.serverId, one.derivedConfigId)).toEqual(first);
    const listed = await store().listDeliveries(server.serverId);
    expect(listed).toHaveLength(2);
    expect(listed).toEqual(
      expect.arrayContaining([first, { ...NOTHING_SEEN_OF_DELIVERY, ...other, fetchedAt: NOW }]),
    );
    expect(await store().getServerSighting(server.serverId)).toBeNull();
  });
};

import * as z from "zod";
import {
  NOTHING_SEEN_OF_DELIVERY,
  NOTHING_SEEN_OF_SERVER,
  type PollRoll,
} from "#lib/model/sighting.ts";
import { whenWrittenBy } from "#lib/ports/conditions.ts";
import type { EvidenceRecords, Sightings } from "#lib/ports/software-config-store.ts";
import { ownerClause } from "./conditions.ts";
import { text, ttlOf } from "./items/attributes.ts";
import {
  deliveryFindingsItem,
  deliverySightingItem,
  evidenceItem,
  pollRollItem,
  serverFindingsItem,
  serverSightingItem,
  sightedDeliveryItem,
  sightedServerItem,
} from "./items/software-config-items.ts";
import {
  deliverySightingKey,
  deliverySightingsOf,
  evidenceKey,
  evidenceOf,
  pollRollKey,
  pollRollsOf,
  serverSightingKey,
} from "./keys.ts";
import { recordsIn } from "./records.ts";
import type { Attributes, Table } from "./table.ts";

const writerOf = z.object({ sk: text }).transform(({ sk }) => ({ writer: sk }));

const found = (findings: object, encoded: Attributes): Attributes =>
  Object.fromEntries(Object.keys(findings).map((name) => [name, encoded[name]]));

export const dynamoSightings = (table: Table): Sightings => {
  const servers = recordsIn(table, serverSightingItem);
  const deliveries = recordsIn(table, deliverySightingItem);
  return {
    noteServer: async (server, findings) => {
      const whole = z.encode(serverFindingsItem, { ...NOTHING_SEEN_OF_SERVER, ...findings });
      const { serverId, ...owner } = server;
      const set = {
        ...z.encode(sightedServerItem, owner),
        ...found(findings, whole),
        ...ttlOf(server.expiresAt),
      };
      await table.update(serverSightingKey(serverId), { set }, [ownerClause(whenWrittenBy(owner))]);
    },
    getServerSighting: async (serverId) => {
      const sighting = await servers.get(serverSightingKey(serverId));
      return sighting && { ...sighting, serverId };
    },
    noteDelivery: async (delivery, findings) => {
      const whole = z.encode(deliveryFindingsItem, { ...NOTHING_SEEN_OF_DELIVERY, ...findings });
      const { serverId, ...owner } = delivery;
      const set = {
        ...z.encode(sightedDeliveryItem, owner),
        ...found(findings, whole),
        ...ttlOf(delivery.expiresAt),
      };
      const key = deliverySightingKey(serverId, delivery.derivedConfigId);
      await table.update(key, { set }, [ownerClause(whenWrittenBy(owner))]);
    },
    getDelivery: async (serverId, derivedConfigId) => {
      const sighting = await deliveries.get(deliverySightingKey(serverId, derivedConfigId));
      return sighting && { ...sighting, serverId };
    },
    listDeliveries: async (serverId) => {
      const sightings = await deliveries.list(deliverySightingsOf(serverId));
      return sightings.map((sighting) => ({ ...sighting, serverId }));
    },
    putPollRoll: async ({ shard, writer, ...roll }) => {
      // An update instead of a put, because the functions that write here have no permission to put
      // items.
      const set = { ...z.encode(pollRollItem, roll), ...ttlOf(roll.expiresAt) };
      await table.update(pollRollKey(shard, writer), { set }, []);
    },
    listPollRolls: async (shard) => {
      const rolls: PollRoll[] = [];
      for await (const item of table.query(pollRollsOf(shard))) {
        const { writer } = writerOf.parse(item);
        rolls.push({ ...pollRollItem.parse(item), shard, writer });
      }
      return rolls;
    },
  };
};

const sightingItem = evidenceItem.omit({ serverId: true, count: true });

export const dynamoEvidence = (table: Table): EvidenceRecords => {
  const evidence = recordsIn(table, evidenceItem);
  return {
    addEvidence: async (sighting) => {
      const set = { ...z.encode(sightingItem, sighting), ...ttlOf(sighting.expiresAt) };
      const change = { set, add: { count: { N: "1" } } };
      await table.update(evidenceKey(sighting), change, [ownerClause(whenWrittenBy(sighting))]);
    },
    getEvidence: (key) => evidence.get(evidenceKey(key)),
    listEvidence: (serverId) => evidence.list(evidenceOf(serverId)),
  };
};

/** What has been seen of servers and deliveries: an item each, of which an update sets only what is new. */
import * as z from "zod";
import {
  type DeliverySighting,
  NOTHING_SEEN_OF_DELIVERY,
  NOTHING_SEEN_OF_SERVER,
} from "#lib/model/sighting.ts";
import type { SoftwareConfigStore } from "#lib/ports/software-config-store.ts";
import {
  deliveryFindingsItem,
  deliverySightingItem,
  serverFindingsItem,
  serverSightingItem,
  sightedDeliveryItem,
  sightedServerItem,
} from "./items/software-config-items.ts";
import { deliverySightingKey, deliverySightingsOf, serverSightingKey } from "./keys.ts";
import type { Attributes, Table } from "./table.ts";
import { ttlOf } from "./ttl.ts";

export type SightingMethods = Pick<
  SoftwareConfigStore,
  "noteServer" | "getServerSighting" | "noteDelivery" | "getDelivery" | "listDeliveries"
>;

/** Of a whole record's attributes those that have been noted: undefined takes one away, and the rest is not touched. */
const noted = (findings: object, encoded: Attributes): Attributes =>
  Object.fromEntries(Object.keys(findings).map((name) => [name, encoded[name]]));

export const dynamoSightings = (table: Table): SightingMethods => ({
  noteServer: async (server, findings) => {
    const whole = z.encode(serverFindingsItem, { ...NOTHING_SEEN_OF_SERVER, ...findings });
    const { serverId, ...owner } = server;
    const set = {
      ...z.encode(sightedServerItem, owner),
      ...noted(findings, whole),
      ...ttlOf(server.expiresAt),
    };
    await table.update(serverSightingKey(serverId), { set }, []);
  },
  getServerSighting: async (serverId) => {
    const item = await table.get(serverSightingKey(serverId));
    return item && { ...serverSightingItem.parse(item), serverId };
  },
  noteDelivery: async (delivery, findings) => {
    const whole = z.encode(deliveryFindingsItem, { ...NOTHING_SEEN_OF_DELIVERY, ...findings });
    const { serverId, ...owner } = delivery;
    const set = {
      ...z.encode(sightedDeliveryItem, owner),
      ...noted(findings, whole),
      ...ttlOf(delivery.expiresAt),
    };
    await table.update(deliverySightingKey(serverId, delivery.derivedConfigId), { set }, []);
  },
  getDelivery: async (serverId, derivedConfigId) => {
    const item = await table.get(deliverySightingKey(serverId, derivedConfigId));
    return item && { ...deliverySightingItem.parse(item), serverId };
  },
  listDeliveries: async (serverId) => {
    const found: DeliverySighting[] = [];
    for await (const item of table.query(deliverySightingsOf(serverId)))
      found.push({ ...deliverySightingItem.parse(item), serverId });
    return found;
  },
});

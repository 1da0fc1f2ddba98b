import {
  type DeliverySighting,
  NOTHING_SEEN_OF_DELIVERY,
  NOTHING_SEEN_OF_SERVER,
  type ServerSighting,
} from "#lib/model/sighting.ts";
import type { SoftwareConfigStore } from "#lib/ports/software-config-store.ts";

type Methods = Pick<
  SoftwareConfigStore,
  "noteServer" | "getServerSighting" | "noteDelivery" | "getDelivery" | "listDeliveries"
>;

export interface MemorySightings extends Methods {
  serverSightings(): readonly ServerSighting[];
  deliverySightings(): readonly DeliverySighting[];
  purgeSightings(now: number): void;
}

export const memorySightings = (): MemorySightings => {
  const servers = new Map<string, ServerSighting>();
  const deliveries = new Map<string, DeliverySighting>();
  const keyOf = (serverId: string, derivedConfigId: string) => `${serverId}/${derivedConfigId}`;
  return {
    serverSightings: () => [...servers.values()],
    deliverySightings: () => [...deliveries.values()],
    purgeSightings: (now) => {
      for (const [id, seen] of servers) if (seen.expiresAt <= now) servers.delete(id);
      for (const [key, seen] of deliveries) if (seen.expiresAt <= now) deliveries.delete(key);
    },
    noteServer: async (server, findings) => {
      const known = servers.get(server.serverId) ?? NOTHING_SEEN_OF_SERVER;
      servers.set(server.serverId, { ...known, ...server, ...findings });
    },
    getServerSighting: async (serverId) => servers.get(serverId) ?? null,
    noteDelivery: async (delivery, findings) => {
      const key = keyOf(delivery.serverId, delivery.derivedConfigId);
      const known = deliveries.get(key) ?? NOTHING_SEEN_OF_DELIVERY;
      deliveries.set(key, { ...known, ...delivery, ...findings });
    },
    getDelivery: async (serverId, derivedConfigId) =>
      deliveries.get(keyOf(serverId, derivedConfigId)) ?? null,
    listDeliveries: async (serverId) =>
      [...deliveries.values()].filter((seen) => seen.serverId === serverId),
  };
};

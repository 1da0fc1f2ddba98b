/** What was refused at agents' URLs: one small item for each kind and target, counted up in place. */
import * as z from "zod";
import type { Evidence } from "#lib/model/evidence.ts";
import type { SoftwareConfigStore } from "#lib/ports/software-config-store.ts";
import { evidenceItem } from "./items/software-config-items.ts";
import { evidenceKey, evidenceOf } from "./keys.ts";
import type { Table } from "./table.ts";
import { ttlOf } from "./ttl.ts";

export type EvidenceMethods = Pick<
  SoftwareConfigStore,
  "addEvidence" | "getEvidence" | "listEvidence"
>;

/** The key attribute is not set, and the count is added to. */
const sightingItem = evidenceItem.omit({ serverId: true, count: true });

export const dynamoEvidence = (table: Table): EvidenceMethods => ({
  addEvidence: async (sighting) => {
    const set = { ...z.encode(sightingItem, sighting), ...ttlOf(sighting.expiresAt) };
    await table.update(evidenceKey(sighting), { set, add: { count: { N: "1" } } }, []);
  },
  getEvidence: async (key) => {
    const item = await table.get(evidenceKey(key));
    return item && evidenceItem.parse(item);
  },
  listEvidence: async (serverId) => {
    const found: Evidence[] = [];
    for await (const item of table.query(evidenceOf(serverId)))
      found.push(evidenceItem.parse(item));
    return found;
  },
});

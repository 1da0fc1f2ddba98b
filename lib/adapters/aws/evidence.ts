import * as z from "zod";
import { whenWrittenBy } from "#lib/ports/conditions.ts";
import type { EvidenceRecords } from "#lib/ports/software-config-store.ts";
import { ownerClause } from "./conditions/owner-clauses.ts";
import { evidenceItem } from "./items/software-config-items.ts";
import { evidenceKey, evidenceOf } from "./keys.ts";
import { recordsIn } from "./records.ts";
import type { Table } from "./table.ts";
import { ttlOf } from "./ttl.ts";

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

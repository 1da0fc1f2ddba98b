import * as z from "zod";
import { SPILLED_VALUES_MAX, type SpilledValues } from "#lib/ports/store.ts";
import type { Objects } from "./objects.ts";
import { SPILLED_PREFIX, spillFolder } from "./spill.ts";
import type { Table } from "./table.ts";
import { SPILLED_ATTRIBUTE, TABLE_IDS, type TableId } from "./tables.ts";

const keySchema = z.record(z.string(), z.object({ S: z.string() }));
const spilledSchema = z.object({ [SPILLED_ATTRIBUTE]: z.object({ S: z.enum(TABLE_IDS) }) });

export const s3SpilledValues = (
  objects: Objects,
  openTable: (id: TableId) => Table,
): SpilledValues => ({
  removedItem: ({ Keys, OldImage = {} }) => {
    if (!(SPILLED_ATTRIBUTE in OldImage)) return null;
    const table = spilledSchema.parse(OldImage)[SPILLED_ATTRIBUTE].S;
    const key = keySchema.parse(Keys);
    const folder = SPILLED_PREFIX + spillFolder(table, key);
    return {
      exists: () => openTable(table).exists(key),
      listValues: () => objects.list(folder, SPILLED_VALUES_MAX),
      deleteValue: (value) => objects.delete(value),
    };
  },
});

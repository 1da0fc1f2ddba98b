/**
 * Rows that a former version of Hearth wrote, when values had no limit. Such a row can take half a
 * gigabyte, and every listing of its stack would read it.
 */
import type { Database } from "./database.ts";

/** More than twice what a row of this version can take (ADR 29). */
export const ROW_BYTES_MAX = 64 * 1024 * 1024;

const REASON = `Hearth dropped the values of this resource: its record was larger than ${ROW_BYTES_MAX} bytes.`;

/**
 * Without its values the row is FAILED, so the next update makes them anew and a delete still finds
 * the object. `octet_length` reads no value, so a search of the table is quick.
 */
const DROP_VALUES = `UPDATE resources
  SET body = json_set(body, '$.properties', null, '$.reference', null, '$.operation', null,
    '$.lease', null, '$.nextPollAt', null, '$.status', 'FAILED', '$.statusReason', ?,
    '$.version', json_extract(body, '$.version') + 1)
  WHERE octet_length(body) > ?`;

/** Returns how many rows it has changed. */
export const dropOversized = (database: Database): number =>
  database.atomically(() => database.run(DROP_VALUES, REASON, ROW_BYTES_MAX));

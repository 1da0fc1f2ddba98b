/**
 * Rows from an earlier version of Hearth, when values had no limit. Such a row may have half a
 * gigabyte, and every listing of its stack would read it.
 */
import type { Database } from "./database.ts";

/** More than twice the largest row of this version (ADR 29). */
export const ROW_BYTES_MAX = 64 * 1024 * 1024;

const REASON = `Hearth dropped the values of this resource: its record was larger than ${ROW_BYTES_MAX} bytes.`;

/**
 * The row becomes FAILED, so the next update creates its values again, and a delete still finds the
 * object. `octet_length` reads no value, so searching the table is fast.
 */
const DROP_VALUES = `UPDATE resources
  SET body = json_set(body, '$.properties', null, '$.reference', null, '$.operation', null,
    '$.lease', null, '$.nextPollAt', null, '$.status', 'FAILED', '$.statusReason', ?,
    '$.version', json_extract(body, '$.version') + 1)
  WHERE octet_length(body) > ?`;

export const dropOversized = (database: Database): number =>
  database.atomically(() => database.run(DROP_VALUES, REASON, ROW_BYTES_MAX));

/**
 * Deletes the graphs of ended traversals as soon as nothing here can ask for them. Their expiry
 * reckons with the longest time that SQS keeps a message, which this host does not have: its
 * messages are a table. A visit and a prepare keep their message until they end.
 */
import { type Database, type DatabaseRow, textOf } from "./database.ts";
import { PURGE_RECORDS_MAX } from "./free-space.ts";

/** The graph of the current traversal, and the one that was published last. */
const NEEDED_OF_STACK = 2;

/** Reads the index alone: few stacks have more graphs than they need. */
const CROWDED = `SELECT stack_id FROM graphs GROUP BY stack_id HAVING count(*) > ${NEEDED_OF_STACK}`;
const ENDED = `SELECT graphs.rowid AS number, json_extract(graphs.body, '$.parts.build') AS build
  FROM graphs JOIN stacks ON stacks.id = graphs.stack_id
  WHERE graphs.stack_id IN (${CROWDED})
    AND graphs.traversal_id IS NOT json_extract(stacks.body, '$.traversalId')
    AND graphs.traversal_id IS NOT json_extract(stacks.body, '$.running')
    AND graphs.traversal_id NOT IN (SELECT json_extract(body, '$.traversalId') FROM messages)
  LIMIT ${PURGE_RECORDS_MAX}`;

const partsOf = (row: DatabaseRow): readonly string[] =>
  row["build"] === null ? [] : [textOf(row, "build")];

/** Within a transaction. Returns how many records it has deleted. */
export const deleteEndedGraphs = (database: Database): number =>
  database.all(ENDED).reduce((removed, row) => {
    const parts = partsOf(row).map((build) =>
      database.run("DELETE FROM graph_parts WHERE build = ?", build),
    );
    const graphs = database.run("DELETE FROM graphs WHERE rowid = ?", row["number"] ?? null);
    return parts.reduce((sum, count) => sum + count, removed + graphs);
  }, 0);

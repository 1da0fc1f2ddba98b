/**
 * One SQLite file of the embedded host. Statements are compiled once. A conditional write is one
 * `BEGIN IMMEDIATE … COMMIT`, so it is atomic against other connections too.
 */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
  DatabaseSync,
  type SQLInputValue,
  type SQLOutputValue,
  type StatementSync,
} from "node:sqlite";
import { Bug, RetryLater } from "#lib/errors.ts";
import { diskSpace } from "./disk-space.ts";
import { FolderRefused, flush, flushName, makePrivate, unusable } from "./folder/private-files.ts";
import { migrate, type Schema, schemaVersionOf, whyRefusedVersion } from "./migrate.ts";
import {
  fileIdentity,
  openDiskReads,
  type StorageCircuit,
  storageCircuit,
} from "./storage-circuit.ts";
import { type Durability, type Flush, flushSetting, groupCommits } from "./transactions.ts";

export type DatabaseRow = Readonly<Record<string, SQLOutputValue>>;

export interface Database {
  run(sql: string, ...values: readonly SQLInputValue[]): number;
  get(sql: string, ...values: readonly SQLInputValue[]): DatabaseRow | null;
  all(sql: string, ...values: readonly SQLInputValue[]): readonly DatabaseRow[];
  /**
   * Runs `work` in one transaction. `work` is synchronous, so no other work of this process
   * interleaves. By default the disk has the transaction before this returns.
   */
  atomically<T>(work: () => T, flush?: Flush): T;
  /**
   * Like `atomically`, but all work of one turn of the event loop shares a commit, in order. No
   * caller gets its result before the commit. If one piece throws, all pieces run again, each in
   * its own transaction. So `work` must have no effect outside the database. One piece that needs a
   * flush flushes the whole commit.
   */
  grouped<T>(work: () => T, flush?: Flush): Promise<T>;
  beforeCommit(listener: () => void): void;
  afterRollback(listener: () => void): void;
  /**
   * The listener must be quick and must not throw. It is called once per transaction, however often
   * it was registered.
   */
  afterCommit(listener: () => void): void;
  /**
   * Describes a fault of the file, or returns null. After a fault of the storage, all methods throw
   * RetryLater until `lookAfter` finds that the storage works again.
   */
  fault(): string | null;
  refuseIfFailed(): void;
  /**
   * Checks that the file is still in its place and, after a fault, that it can be written. If
   * nothing was written since the last call, a checkpoint flushes what was written before.
   */
  lookAfter(): void;
  retire(what: string): void;
  usage(): DatabaseUsage;
  close(): void;
}

export type DatabaseCare = Pick<Database, "fault" | "refuseIfFailed" | "lookAfter">;

export interface DatabaseUsage {
  readonly statements: number;
  readonly transactions: number;
}

export const IN_MEMORY = ":memory:";

/** SQLite waits for other processes synchronously, so the host answers nothing meanwhile. */
const BUSY_TIMEOUT_MS = 1_000;
const CACHE_KIB = 8_192;
const PAGE_BYTES = 4_096;
/**
 * A checkpoint flushes the disk three times, and the host answers nothing meanwhile: 20 ms for
 * 4,000 pages, 65 ms for 16,000. It moves a page that was written often only once, so few large
 * checkpoints cost less. With SQLite's default of 1,000 pages, each create of 500 resources would
 * wait for several.
 */
const LOG_PAGES_MAX = 16_000;
const LOG_BYTES_MAX = LOG_PAGES_MAX * PAGE_BYTES;
const CHECKPOINT = "PRAGMA wal_checkpoint(PASSIVE)";

/**
 * In WAL mode the operating system has a commit before COMMIT returns, so kill -9 loses nothing.
 * Each transaction decides when the disk must have it (transactions.ts).
 */
const PRAGMAS = [
  // This comes first, because SQLite accepts it only before the first page is written, or in a
  // VACUUM.
  "PRAGMA auto_vacuum = INCREMENTAL",
  "PRAGMA journal_mode = WAL",
  "PRAGMA temp_store = MEMORY",
  `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`,
  `PRAGMA cache_size = -${CACHE_KIB}`,
  `PRAGMA journal_size_limit = ${LOG_BYTES_MAX}`,
  `PRAGMA wal_autocheckpoint = ${LOG_PAGES_MAX}`,
];

export const openDatabase = (
  place: string,
  fileName: string,
  schema: Schema,
  durability: Durability = "full",
): Database => {
  const path = place === IN_MEMORY ? IN_MEMORY : join(place, fileName);
  try {
    // This check precedes all settings, so that the file of a newer version stays unchanged.
    const why = whyRefusedVersion(schemaVersionOf(path), schema, path);
    if (why !== null) throw new FolderRefused(why);
    if (place !== IN_MEMORY) makePrivate(path);
    const opened = databaseOver(openFile(path, schema, durability), path, schema);
    if (place !== IN_MEMORY && durability === "full") flushNames(place);
    return opened;
  } catch (error) {
    throw unusable(path, error);
  }
};

/**
 * Otherwise the file and its log could be on the disk without their names, or without the folder's.
 */
const flushNames = (folder: string): void => {
  flush(folder);
  flushName(resolve(folder));
};

const freeBytesBeside = (path: string): number => {
  if (path === IN_MEMORY) return Number.POSITIVE_INFINITY;
  try {
    return diskSpace(dirname(path)).freeBytes;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
};

interface OpenFile {
  readonly database: DatabaseSync;
  readonly setFlush: (flush: Flush) => void;
}

const openFile = (path: string, schema: Schema, durability: Durability): OpenFile => {
  const database = new DatabaseSync(path);
  try {
    for (const pragma of PRAGMAS) database.exec(pragma);
    const setFlush = flushSetting(database, durability);
    setFlush("now");
    migrate(database, schema, freeBytesBeside(path));
    return { database, setFlush };
  } catch (error) {
    database.close();
    throw error;
  }
};

/**
 * Writes the first page unchanged, so the storage must accept a page. It does not wait for locks.
 */
const probeStatements = (version: number): string =>
  `PRAGMA busy_timeout = 0; BEGIN IMMEDIATE; PRAGMA user_version = ${version}; COMMIT;
  PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`;

interface TransactionParts {
  readonly database: DatabaseSync;
  readonly path: string;
  readonly circuit: StorageCircuit;
  readonly statement: (sql: string) => StatementSync;
  readonly begun: (flush: Flush) => void;
}

const transactionsOver = ({ database, path, circuit, statement, begun }: TransactionParts) => {
  const endings = new Set<() => void>();
  const undoings = new Set<() => void>();
  const listeners = new Set<() => void>();

  /**
   * A refused call may have left its transaction open. Node 22.13 cannot report whether one is
   * open.
   */
  const rollBack = (): void => {
    try {
      database.exec("ROLLBACK");
    } catch (error) {
      if (!String(error).includes("no transaction is active")) throw error;
    }
  };

  let isWithin = false;

  const undo = (): void => {
    isWithin = false;
    for (const undoing of undoings) undoing();
    for (const registered of [endings, undoings, listeners]) registered.clear();
    try {
      // COMMIT itself may have failed and ended the transaction.
      rollBack();
    } catch (error) {
      circuit.open(`${path} cannot be used: ${error instanceof Error ? error.message : error}`);
    }
  };

  const atomically = <T>(work: () => T, flush: Flush = "now"): T => {
    circuit.guard(() => {
      begun(flush);
      statement("BEGIN IMMEDIATE").run();
    });
    isWithin = true;
    let result: T;
    try {
      result = work();
      for (const ending of endings) ending();
      circuit.guard(() => statement("COMMIT").run());
    } catch (error) {
      undo();
      throw error;
    }
    isWithin = false;
    const due = [...listeners];
    for (const registered of [endings, undoings, listeners]) registered.clear();
    for (const listener of due) listener();
    return result;
  };

  return {
    atomically,
    isWithin: () => isWithin,
    rollBack,
    beforeCommit: (listener: () => void): void => {
      endings.add(listener);
    },
    afterRollback: (listener: () => void): void => {
      undoings.add(listener);
    },
    afterCommit: (listener: () => void): void => {
      listeners.add(listener);
    },
  };
};

const databaseOver = (
  { database, setFlush }: OpenFile,
  path: string,
  { version }: Schema,
): Database => {
  const reads = openDiskReads(path);
  const circuit = storageCircuit(path, reads.fail);
  const files = [path, `${path}-wal`].filter((file) => existsSync(file)).map(fileIdentity);
  const compiled = new Map<string, StatementSync>();
  const used = { statements: 0, transactions: 0 };
  const statement = (sql: string): StatementSync => {
    used.statements += 1;
    const known = compiled.get(sql);
    if (known) return known;
    const made = database.prepare(sql);
    compiled.set(sql, made);
    return made;
  };
  const begun = (flush: Flush): void => {
    used.transactions += 1;
    setFlush(flush);
  };
  const checkpointAtRest = checkpointsAtRest(used, () =>
    circuit.guard(() => database.exec(CHECKPOINT)),
  );
  const { rollBack, isWithin, ...transactions } = transactionsOver({
    database,
    path,
    circuit,
    statement,
    begun,
  });

  return {
    run: (sql, ...values) =>
      circuit.guard(() => {
        if (!isWithin()) setFlush("now");
        return Number(statement(sql).run(...values).changes);
      }),
    get: (sql, ...values) => circuit.guard(() => statement(sql).get(...values) ?? null),
    all: (sql, ...values) => circuit.guard(() => statement(sql).all(...values)),
    ...transactions,
    grouped: groupCommits(transactions.atomically),
    fault: circuit.fault,
    retire: circuit.retire,
    refuseIfFailed: circuit.refuseIfOpen,
    lookAfter: () => {
      const change = files.map((file) => file.change()).find((found) => found !== null);
      if (change) circuit.open(change);
      else if (circuit.isOpen())
        circuit.probe(() => {
          rollBack();
          database.exec(probeStatements(version));
        });
      else checkpointAtRest();
    },
    usage: () => ({ ...used }),
    close: () => {
      compiled.clear();
      database.close();
      reads.close();
    },
  };
};

/**
 * After a pause in the work, a checkpoint shortens the log, so that less is lost in a power
 * failure.
 */
const checkpointsAtRest = (used: DatabaseUsage, checkpoint: () => void): (() => void) => {
  let seen = 0;
  let flushed = 0;
  return () => {
    const isAtRest = used.transactions === seen && seen !== flushed;
    seen = used.transactions;
    if (!isAtRest) return;
    flushed = seen;
    try {
      checkpoint();
    } catch (error) {
      if (!(error instanceof RetryLater)) throw error;
    }
  };
};

export const textOf = (row: DatabaseRow, column: string): string => {
  const value = row[column];
  if (typeof value !== "string") throw new Bug(`column ${column} is not a text`);
  return value;
};

export const numberOf = (row: DatabaseRow, column: string): number => {
  const value = row[column];
  if (typeof value !== "number") throw new Bug(`column ${column} is not a number`);
  return value;
};

/**
 * Only here do stored records become typed without parsing. The schema version proves that this
 * adapter wrote them, as JSON of the same type.
 */
export const recordOf = <T>(row: DatabaseRow): T => {
  const record: T = JSON.parse(textOf(row, "body"));
  return record;
};

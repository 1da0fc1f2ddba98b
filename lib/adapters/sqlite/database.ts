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
import { openDiskReads } from "./disk-reads.ts";
import { diskSpace } from "./disk-space.ts";
import { fileIdentity } from "./file-identity.ts";
import { type Durability, type Flush, flushSetting } from "./flushes.ts";
import { groupCommits } from "./group-commits.ts";
import { migrate, type Schema, schemaVersionOf, whyRefusedVersion } from "./migrate.ts";
import { FolderRefused, flush, flushName, makePrivate, unusable } from "./private-files.ts";
import { type StorageCircuit, storageCircuit } from "./storage-circuit.ts";

export type DatabaseRow = Readonly<Record<string, SQLOutputValue>>;

export interface Database {
  /** Returns how many rows were changed. */
  run(sql: string, ...values: readonly SQLInputValue[]): number;
  get(sql: string, ...values: readonly SQLInputValue[]): DatabaseRow | null;
  all(sql: string, ...values: readonly SQLInputValue[]): readonly DatabaseRow[];
  /**
   * Runs `work` in one transaction. `work` is synchronous, so no other work of this process
   * interleaves. Without `flush`, the disk has it before this returns.
   */
  atomically<T>(work: () => T, flush?: Flush): T;
  /**
   * Like `atomically`, but all work of one turn of the event loop shares a commit, in order. No
   * caller gets its result before the commit. If one piece throws, the other pieces run a second
   * time on their own. So `work` must have no effect outside the database. One piece that needs a
   * flush now flushes the whole commit.
   */
  grouped<T>(work: () => T, flush?: Flush): Promise<T>;
  /** Calls `listener` once at the end of the transaction, however often it was registered. */
  beforeCommit(listener: () => void): void;
  /** Calls `listener` once if the transaction is rolled back. It must not throw. */
  afterRollback(listener: () => void): void;
  /** Calls `listener` once after the commit. It must be quick and must not throw. */
  afterCommit(listener: () => void): void;
  /**
   * What is wrong with the file, in a sentence. Null: nothing is. After a fault of the storage all
   * methods throw RetryLater until `lookAfter` finds the storage well again.
   */
  fault(): string | null;
  /** Throws RetryLater as every method does after a fault of the storage. */
  refuseIfFailed(): void;
  /**
   * Looks whether the file is still in its place, and after a fault whether it can be written. If
   * nothing was written since the last look, what was written before reaches the disk.
   */
  lookAfter(): void;
  /** From now on all methods throw RetryLater, until the file is opened anew. */
  retire(what: string): void;
  /** Counts statements and transactions since the file was opened. */
  usage(): DatabaseUsage;
  close(): void;
}

/** How the owner of a file looks after it. */
export type DatabaseCare = Pick<Database, "fault" | "refuseIfFailed" | "lookAfter">;

export interface DatabaseUsage {
  readonly statements: number;
  readonly transactions: number;
}

export const IN_MEMORY = ":memory:";

/** SQLite waits for another process synchronously, and nothing is answered meanwhile. */
const BUSY_TIMEOUT_MS = 1_000;
const CACHE_KIB = 8_192;
const PAGE_BYTES = 4_096;
/**
 * A checkpoint flushes the disk three times, and nothing is answered meanwhile: 20 ms for 4,000
 * pages, 65 ms for these. A page that is written often is moved once in each, so few large ones
 * cost less. With SQLite's own 1,000 pages, each create of 500 resources would wait for several.
 */
const LOG_PAGES_MAX = 16_000;
/** A checkpoint cuts a longer write-ahead log to this, or it would keep its longest length. */
const LOG_BYTES_MAX = LOG_PAGES_MAX * PAGE_BYTES;
/** Waits for nobody, and leaves what it cannot do to the next one. */
const CHECKPOINT = "PRAGMA wal_checkpoint(PASSIVE)";

/**
 * In WAL mode the operating system has a commit before COMMIT returns, so kill -9 loses nothing.
 * When the disk has it is set for each transaction.
 */
const PRAGMAS = [
  // First, because a file takes it only before its first page is written, or in a VACUUM.
  "PRAGMA auto_vacuum = INCREMENTAL",
  "PRAGMA journal_mode = WAL",
  "PRAGMA temp_store = MEMORY",
  `PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`,
  `PRAGMA cache_size = -${CACHE_KIB}`,
  `PRAGMA journal_size_limit = ${LOG_BYTES_MAX}`,
  `PRAGMA wal_autocheckpoint = ${LOG_PAGES_MAX}`,
];

/**
 * `place` is ":memory:" or a folder. A missing folder is created, readable by its owner only.
 * Throws FolderRefused if the file cannot be used.
 */
export const openDatabase = (
  place: string,
  fileName: string,
  schema: Schema,
  durability: Durability = "full",
): Database => {
  const path = place === IN_MEMORY ? IN_MEMORY : join(place, fileName);
  try {
    // Before anything is set in the file: that of a newer version must stay as it is.
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

/** Else the file and its log could be on the disk, and their names or the folder's not. */
const flushNames = (folder: string): void => {
  flush(folder);
  flushName(resolve(folder));
};

/** Of the file's disk. Without an answer of the system there is enough. */
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

/** Writes the first page as it is, so the storage must take a page. It waits for nobody. */
const probeStatements = (version: number): string =>
  `PRAGMA busy_timeout = 0; BEGIN IMMEDIATE; PRAGMA user_version = ${version}; COMMIT;
  PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`;

interface TransactionParts {
  readonly database: DatabaseSync;
  readonly path: string;
  readonly circuit: StorageCircuit;
  readonly statement: (sql: string) => StatementSync;
  /** Called at the start of each transaction. */
  readonly begun: (flush: Flush) => void;
}

const transactionsOver = ({ database, path, circuit, statement, begun }: TransactionParts) => {
  const endings = new Set<() => void>();
  const undoings = new Set<() => void>();
  const listeners = new Set<() => void>();

  /** A refused call may have left its transaction open. Node 22.13 cannot ask for that. */
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
        // Alone it is a transaction of its own.
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

/** So the next work finds a short log, and a power failure takes less. */
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
      // A fault of the storage is told by the circuit, and the probe of a later look ends it.
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
 * The one place where stored records become typed without parsing. This adapter wrote them as JSON
 * of the same type, and the schema version proves that it was this adapter.
 */
export const recordOf = <T>(row: DatabaseRow): T => {
  const record: T = JSON.parse(textOf(row, "body"));
  return record;
};

/** Makes one call of SQLite fail, for all databases of this process. */
import { StatementSync } from "node:sqlite";

/** With `after` the call has its effect, and only the answer is lost. */
export interface Fault {
  readonly name: string;
  readonly errcode: number;
  readonly after: boolean;
}

/** SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_BUSY, SQLITE_IOERR_FSYNC. */
export const FAULTS: readonly Fault[] = [
  { name: "database or disk is full", errcode: 13, after: false },
  { name: "disk I/O error", errcode: 778, after: false },
  { name: "database is locked", errcode: 5, after: false },
  { name: "disk I/O error", errcode: 1034, after: true },
];

const METHODS = ["run", "get", "all"] as const;

export interface FailingSqlite {
  begin(): void;
  calls(): number;
  failed(): string | null;
  stop(): void;
}

export const failSqliteCall = (number: number, fault: Fault): FailingSqlite => {
  let begun = false;
  let calls = 0;
  let failed: string | null = null;
  const originals = METHODS.map((method) => [method, StatementSync.prototype[method]] as const);
  const put = (method: string, value: unknown): void => {
    Object.defineProperty(StatementSync.prototype, method, {
      value,
      configurable: true,
      writable: true,
    });
  };
  const failure = (): Error =>
    Object.assign(new Error(fault.name), { code: "ERR_SQLITE_ERROR", errcode: fault.errcode });

  for (const [method, original] of originals)
    put(method, function failing(this: StatementSync, ...values: unknown[]) {
      if (begun) calls += 1;
      if (!begun || calls !== number) return Reflect.apply(original, this, values);
      failed = this.sourceSQL;
      if (fault.after) Reflect.apply(original, this, values);
      throw failure();
    });

  return {
    begin: () => {
      begun = true;
    },
    calls: () => calls,
    failed: () => failed,
    stop: () => {
      for (const [method, original] of originals) put(method, original);
    },
  };
};

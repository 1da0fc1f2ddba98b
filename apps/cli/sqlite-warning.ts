/**
 * Node 22 and 24 warn on standard error when `node:sqlite` is loaded. Users can do nothing about
 * that, so this warning alone is suppressed.
 */
const isAboutSqlite = (warning: unknown): boolean =>
  typeof warning === "string" && warning.startsWith("SQLite is an experimental feature");

/** Call this before `node:sqlite` is loaded. */
export const hideSqliteWarning = (): void => {
  const emitWarning = process.emitWarning;
  process.emitWarning = (warning: string | Error, ...details: readonly unknown[]): void => {
    if (!isAboutSqlite(warning)) Reflect.apply(emitWarning, process, [warning, ...details]);
  };
};

/**
 * Structured log lines with ids and outcomes, never contents. HEARTH_LOG sets their level. An
 * operator cannot hide errors: `off` still writes them, and only tests set `silent`.
 */
import { Logger } from "@aws-lambda-powertools/logger";
import { injectLambdaContext } from "@aws-lambda-powertools/logger/middleware";

const lines = new Logger({ serviceName: "hearth", logLevel: "INFO" });

type Level = "info" | "warn" | "error";

/** The levels that each value of HEARTH_LOG writes. Any other value writes all. */
const WRITTEN = new Map<string | undefined, readonly Level[]>([
  ["warn", ["warn", "error"]],
  ["error", ["error"]],
  ["off", ["error"]],
  ["silent", []],
]);

/** HEARTH_LOG is read for each line, because commands and signals change it at run time. */
const isWritten = (level: Level): boolean =>
  WRITTEN.get(process.env["HEARTH_LOG"])?.includes(level) ?? true;

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export const logger = {
  info: (message: string, fields: LogFields = {}): void => {
    if (isWritten("info")) lines.info(message, { ...fields });
  },
  warn: (message: string, fields: LogFields = {}): void => {
    if (isWritten("warn")) lines.warn(message, { ...fields });
  },
  /**
   * Writes the error's class and message, since our own errors contain only ids. It writes no
   * stack, because that of a foreign error may quote its input.
   */
  error: (message: string, error: unknown, fields: LogFields = {}): void => {
    if (!isWritten("error")) return;
    lines.error(message, {
      ...fields,
      failure: error instanceof Error ? `${error.name}: ${error.message}` : typeof error,
      cause: error instanceof Error && error.cause instanceof Error ? error.cause.name : undefined,
    });
  },
};

/**
 * A middleware for Lambda, whose log lines then name the invocation. They also have `keys`, such as
 * the revision, because two revisions run side by side during an upgrade.
 */
export const nameInvocations = (keys: LogFields = {}) => {
  lines.appendPersistentKeys({ ...keys });
  return injectLambdaContext(lines);
};

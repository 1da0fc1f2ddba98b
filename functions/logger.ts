/**
 * Structured log lines: ids and outcomes, never contents. HEARTH_LOG chooses their level. Nothing
 * that an operator may set hides errors: `off` keeps them, and only tests set `silent`.
 */
import { Logger } from "@aws-lambda-powertools/logger";
import { injectLambdaContext } from "@aws-lambda-powertools/logger/middleware";

const lines = new Logger({ serviceName: "hearth", logLevel: "INFO" });

type Level = "info" | "warn" | "error";

/** The levels whose lines are written, by the word in HEARTH_LOG. Any other word writes all. */
const WRITTEN = new Map<string | undefined, readonly Level[]>([
  ["warn", ["warn", "error"]],
  ["error", ["error"]],
  ["off", ["error"]],
  ["silent", []],
]);

/** Read for each line, and not once: commands and signals change it while the process runs. */
const isWritten = (level: Level): boolean =>
  WRITTEN.get(process.env["HEARTH_LOG"])?.includes(level) ?? true;

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export const logger = {
  info: (message: string, fields: LogFields = {}): void => {
    if (isWritten("info")) lines.info(message, { ...fields });
  },
  /** Something that an operator should look at, and that has ended nothing yet. */
  warn: (message: string, fields: LogFields = {}): void => {
    if (isWritten("warn")) lines.warn(message, { ...fields });
  },
  /**
   * The error's class and text: our own errors name only ids. No stack, because a foreign error's
   * may quote its input.
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
 * A middleware for Lambda, where a process is one function. The log lines name the invocation, and
 * have `keys` besides: during an upgrade two revisions run side by side.
 */
export const nameInvocations = (keys: LogFields = {}) => {
  lines.appendPersistentKeys({ ...keys });
  return injectLambdaContext(lines);
};

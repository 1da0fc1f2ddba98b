/** Structured log lines: ids and outcomes, never contents. HEARTH_LOG=off silences them. */
import { Logger } from "@aws-lambda-powertools/logger";
import type { Context } from "aws-lambda";

const isSilent = process.env["HEARTH_LOG"] === "off";
const lines = new Logger({ serviceName: "hearth", logLevel: isSilent ? "SILENT" : "INFO" });

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export const logger = {
  info: (message: string, fields: LogFields = {}): void => {
    // The logger reads the environment before it drops a line.
    if (!isSilent) lines.info(message, { ...fields });
  },
  /**
   * The error's class and text: our own errors name only ids. No stack, because a foreign error's
   * may quote its input.
   */
  error: (message: string, error: unknown, fields: LogFields = {}): void =>
    lines.error(message, {
      ...fields,
      failure: error instanceof Error ? `${error.name}: ${error.message}` : typeof error,
      cause: error instanceof Error && error.cause instanceof Error ? error.cause.name : undefined,
    }),
  /**
   * From here on the log lines name the revision. During an upgrade two revisions run side by side.
   */
  name: (revision: string): void => lines.appendPersistentKeys({ revision }),
  /** From here on the log lines name the invocation. */
  enter: (context: Context): void => lines.addContext(context),
};

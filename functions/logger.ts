/** Structured log lines: ids and outcomes, never contents. HEARTH_LOG=off silences them. */
import { Logger } from "@aws-lambda-powertools/logger";
import type { Context } from "aws-lambda";

const lines = new Logger({
  serviceName: "hearth",
  logLevel: process.env["HEARTH_LOG"] === "off" ? "SILENT" : "INFO",
});

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export const logger = {
  info: (message: string, fields: LogFields = {}): void => lines.info(message, { ...fields }),
  /** The error's class and text: ours name ids only. No stack: a foreign error's may quote what it choked on. */
  error: (message: string, error: unknown, fields: LogFields = {}): void =>
    lines.error(message, {
      ...fields,
      failure: error instanceof Error ? `${error.name}: ${error.message}` : typeof error,
      cause: error instanceof Error && error.cause instanceof Error ? error.cause.name : undefined,
    }),
  /** From here on the lines name the revision: in an upgrade two of them work side by side. */
  name: (revision: string): void => lines.appendPersistentKeys({ revision }),
  /** From here on the lines name the invocation. */
  enter: (context: Context): void => lines.addContext(context),
};

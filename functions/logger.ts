/** Structured log lines: ids and outcomes, never contents. HEARTH_LOG=off silences them. */

const silent = process.env["HEARTH_LOG"] === "off";

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

const write = (level: "info" | "error", message: string, fields: LogFields): void => {
  if (silent) return;
  console.log(JSON.stringify({ level, message, ...fields }));
};

export const logger = {
  info: (message: string, fields: LogFields = {}): void => write("info", message, fields),
  /** The error's class and text: ours name ids only. */
  error: (message: string, error: unknown, fields: LogFields = {}): void =>
    write("error", message, {
      ...fields,
      error: error instanceof Error ? `${error.name}: ${error.message}` : typeof error,
      cause: error instanceof Error && error.cause instanceof Error ? error.cause.name : undefined,
    }),
};

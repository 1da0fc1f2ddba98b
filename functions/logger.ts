/**
 * Structured log lines: ids and outcomes, never contents. HEARTH_LOG=off silences them.
 *
 * The module itself knows no invocation. A line names the invocation in whose work it is written.
 * So two functions of one process, as in the tests, cannot name each other's.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { Logger } from "@aws-lambda-powertools/logger";
import type { Context } from "aws-lambda";

const outside = new Logger({ serviceName: "hearth", logLevel: "INFO" });
const invoked = new AsyncLocalStorage<Logger>();

const lines = (): Logger => invoked.getStore() ?? outside;

/** Read for each line, and not once: a command that prints no log says so after the imports. */
const isSilent = (): boolean => process.env["HEARTH_LOG"] === "off";

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

export const logger = {
  info: (message: string, fields: LogFields = {}): void => {
    if (!isSilent()) lines().info(message, { ...fields });
  },
  /**
   * The error's class and text: our own errors name only ids. No stack, because a foreign error's
   * may quote its input.
   */
  error: (message: string, error: unknown, fields: LogFields = {}): void => {
    if (isSilent()) return;
    lines().error(message, {
      ...fields,
      failure: error instanceof Error ? `${error.name}: ${error.message}` : typeof error,
      cause: error instanceof Error && error.cause instanceof Error ? error.cause.name : undefined,
    });
  },
};

type Invocation = <Result>(context: Context, work: () => Promise<Result>) => Promise<Result>;

/**
 * For one function. The log lines that `work` writes name the invocation, and have `keys` besides:
 * during an upgrade two revisions run side by side.
 */
export const openInvocations = (keys: LogFields = {}): Invocation => {
  const own = outside.createChild({ persistentKeys: { ...keys } });
  return (context, work) => {
    own.addContext(context);
    return invoked.run(own, work);
  };
};

export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;
/** For --detailed-exitcode, as in other tools: the update would change something. */
export const EXIT_CHANGES = 2;
/** A shell expects this code of a program that Ctrl-C has ended. */
export const EXIT_INTERRUPTED = 130;

/** The reader of standard output has gone, as in `hearth stack list | head -1`. */
export const EXIT_UNREAD = 141;

export class CommandFailed extends Error {
  override readonly name = "CommandFailed";
  readonly exitCode: number;
  constructor(message: string, exitCode = EXIT_FAILED, options?: ErrorOptions) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

export const badUsage = (message: string): CommandFailed => new CommandFailed(message, EXIT_USAGE);

/** The code of an error of Node, such as ENOENT; an empty text if it has none. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

export const textOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

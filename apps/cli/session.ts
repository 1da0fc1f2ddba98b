import type { Command } from "commander";
import { z } from "zod";
import { type Client, openClient } from "#client/client.ts";
import { isLoopbackUrl, isWildcard } from "#host/address.ts";
import { badUsage, EXIT_FAILED, EXIT_UNREAD } from "./failure.ts";
import { off, WaitTimeout } from "./options.ts";
import { hangingLines, jsonText, maskedJsonText, terminalWidth, writeLines } from "./print.ts";

/** A request to a URL with credentials fails, and its error would show them. */
const hasCredentials = (url: string): boolean => {
  const { username, password } = new URL(url);
  return username !== "" || password !== "";
};

const HEADER = /^[\x20-\x7e\x80-\xff]*$/;

export const GlobalOptions = z.object({
  endpoint: z
    .url({
      protocol: /^https?$/,
      error: "--endpoint is not a URL (https://…, or http://…)",
      abort: true,
    })
    .refine((url) => !hasCredentials(url), "--endpoint has a password in it: give a --token"),
  project: z.string().min(1, "--project is empty"),
  token: z
    .string()
    .regex(HEADER, "--token has characters that an HTTP header cannot carry")
    .optional(),
  plainHttp: off,
  json: off,
});

type Connection = Pick<z.infer<typeof GlobalOptions>, "endpoint" | "plainHttp">;

/** Everybody on the way could read the token, and the values of templates and outputs. */
export const refusePlainHttp = ({ endpoint, plainHttp }: Connection): void => {
  if (plainHttp || new URL(endpoint).protocol !== "http:" || leadsToOwnMachine(endpoint)) return;
  throw badUsage(
    `${endpoint} would carry the token and all values in clear text. Name an https:// URL, or allow that with --plain-http`,
  );
};

const SessionOptions = GlobalOptions.extend(WaitTimeout.shape);

export interface Session {
  readonly client: Client;
  readonly json: boolean;
  readonly waitMsMax: number | null;
  /** Prints one document for programs, or lines for people. Signatures of URLs are masked. */
  readonly print: Print;
  /** For a value that the user has named: it is printed unmasked. */
  readonly printNamed: Print;
}

type Print = (document: unknown, lines: () => readonly string[]) => void;

export const openSession = (command: Command): Session => {
  const options = readOptions(SessionOptions, command);
  const { json, waitTimeout = null, plainHttp: _, ...connection } = options;
  refusePlainHttp(options);
  return {
    client: openClient(connection),
    json,
    waitMsMax: waitTimeout,
    print: printer(json),
    printNamed: exactPrinter(json, jsonText),
  };
};

/** On a terminal a long line is broken between words. */
export const printer = (json: boolean): Print => {
  const print = exactPrinter(json);
  return (document, lines) =>
    print(document, () => lines().flatMap((line) => hangingLines(line, terminalWidth())));
};

/** For lines that a program may read from the terminal too, such as a drawing. */
export const exactPrinter = (json: boolean, textOf = maskedJsonText): Print => {
  if (!process.stdout.listeners("error").includes(endUnwritten)) {
    process.stdout.once("error", endUnwritten);
  }
  return (document, lines) => writeLines(json ? [textOf(document)] : lines());
};

/** A reader that stops reading is no error. Any other failure is reported, such as a full disk. */
const endUnwritten = (error: NodeJS.ErrnoException): void => {
  if (error.code === "EPIPE") process.exit(EXIT_UNREAD);
  process.stderr.write(`ERROR: Standard output cannot be written: ${error.message}.\n`);
  process.exit(EXIT_FAILED);
};

export const readOptions = <Shape extends z.ZodType>(
  shape: Shape,
  command: Command,
): z.infer<Shape> => {
  const options = shape.safeParse(command.optsWithGlobals());
  if (options.success) return options.data;
  throw badUsage(options.error.issues.map((issue) => issue.message).join("\n"));
};

export const REACHABLE_ADVICE =
  "Start the host with --listen and --public-url (a certificate and tokens are needed)";

/** A wildcard address, such as 0.0.0.0, leads to the machine of the program that uses it. */
export const leadsToOwnMachine = (url: string): boolean =>
  isLoopbackUrl(url) || isWildcard(new URL(url).hostname.replaceAll(/^\[|\]$/g, ""));

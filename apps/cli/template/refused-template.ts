import type { Client } from "#client/client.ts";
import { RequestError } from "#lib/errors.ts";
import { CommandFailed } from "../failure.ts";
import type { Target } from "./template-options.ts";

const BAD_REQUEST = 400;

/**
 * The host names only the first problem of a template, and no place. So if it refuses one, the
 * error has all lines of a check.
 */
export const withPlaces = async <Answer>(
  client: Client,
  target: Target,
  send: () => Promise<Answer>,
): Promise<Answer> => {
  try {
    return await send();
  } catch (error) {
    const isRefused = error instanceof RequestError && error.status === BAD_REQUEST;
    if (!isRefused || target.body.template === null) throw error;
    const { problemText } = await import("./validate.ts");
    const text = await problemText(client, target);
    throw text === null ? error : new CommandFailed(text, undefined, { cause: error });
  }
};

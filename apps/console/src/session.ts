/** The session of the user. The token is forgotten when the tab is closed. */
import * as z from "zod";
import { type Client, openClient } from "#client/client.ts";
import { knownAnswers } from "#client/known-answers.ts";
import { RequestError } from "#lib/errors.ts";
import { transport } from "./transport.ts";

const KEY = "hearth.session";
const UNAUTHORIZED = 401;

const Shape = z.object({ project: z.string().min(1), token: z.string().nullable() });
export type Session = z.infer<typeof Shape>;

export const storedSession = (): Session | null => {
  const text = sessionStorage.getItem(KEY);
  if (text === null) return null;
  try {
    return Shape.parse(JSON.parse(text));
  } catch {
    return null;
  }
};

const known = knownAnswers();

export const storeSession = (session: Session | null): void => {
  known.clear();
  if (session === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, JSON.stringify(session));
};

export const clientOf = ({ project, token }: Session): Client => {
  const { endpoint, fetch } = transport();
  return openClient({ endpoint, fetch, project, known, ...(token === null ? {} : { token }) });
};

const BuildInfo = z.looseObject({ api: z.looseObject({ revision: z.string() }) });

/** @throws RequestError 401 when the API demands another token. */
export const greet = async (session: Session): Promise<string> =>
  (await clientOf(session).request("GET", "/build_info", BuildInfo)).api.revision;

export const isUnauthorized = (error: unknown): boolean =>
  error instanceof RequestError && error.status === UNAUTHORIZED;

export const textOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

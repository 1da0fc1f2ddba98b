import type { Sleep } from "./pause.ts";

export interface Asking {
  readonly endpoint: string;
  readonly project: string;
  readonly hasToken: boolean;
}

const adviceOn = (
  status: number,
  message: string,
  { project, hasToken }: Asking,
): string | null => {
  if (status === 401 && !hasToken) return "No token was given: --token, or HEARTH_TOKEN.";
  if (status === 401) return "The token is mistyped, revoked or expired.";
  if (status === 403 && !message.startsWith("This token"))
    return `Is the token one of the project ${project} (--project)?`;
  if (status === 429) return `This command waits for at most ${THROTTLED_MS_MAX / 1_000} s.`;
  return null;
};

export const foreignText = (status: number): string =>
  `The server answered ${status}, and not as Hearth does. "hearth doctor" checks the endpoint.`;

const NO_ROUTE = "The resource could not be found.";
/** Other clients accept the URL of the project. */
const PROJECT_PATH = /\/v1\/[^/]+\/?$/;

const adviceOnPath = (message: string, { endpoint }: Asking): string | null =>
  message === NO_ROUTE && PROJECT_PATH.test(endpoint)
    ? "Give --endpoint without /v1 and the project, which is for --project."
    : null;

const kindOf = (path: string): string =>
  (path.split("?", 1)[0] ?? "")
    .replace(/^\/stacks\/[^/]+\/[^/]+/, "/stacks/NAME/ID")
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID");

/** A host without the route is older than this command, or it is Heat. */
export const hasNoRoute = (status: number, message: string | null, asking: Asking): boolean =>
  status === 404 && message === NO_ROUTE && adviceOnPath(message, asking) === null;

export const noRouteText = (version: string | null, method: string, path: string): string =>
  `This host (${version === null ? "of an unknown version" : `version ${version}`}) has no ${method} ${kindOf(path)}: it is older than this command, or it is Heat. Upgrade the host, or use a command of its version.`;

export const refusedText = (status: number, message: string | null, asking: Asking): string => {
  if (message === null) return foreignText(status);
  const advice = adviceOn(status, message, asking) ?? adviceOnPath(message, asking);
  return advice === null ? message : `${message} ${advice}`;
};

const TOO_MANY_REQUESTS = 429;

/** The pauses of one request together. Hearth's windows last ten seconds. */
const THROTTLED_MS_MAX = 60_000;
const PAUSE_MS_MIN = 1_000;

const pauseMs = (response: Response, tries: number): number => {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  const wanted = Number.isFinite(seconds) ? seconds * 1_000 : PAUSE_MS_MIN * 2 ** (tries - 1);
  return Math.max(PAUSE_MS_MIN, wanted);
};

/**
 * Repeats a request that a limit has refused (429). The server has run no part of it, so a write
 * can be repeated too.
 */
export const whileThrottled = async (
  send: () => Promise<Response>,
  wait: Sleep,
): Promise<Response> => {
  let waitedMs = 0;
  for (let tries = 1; ; tries += 1) {
    const response = await send();
    if (response.status !== TOO_MANY_REQUESTS) return response;
    const nextMs = pauseMs(response, tries);
    if (waitedMs + nextMs > THROTTLED_MS_MAX) return response;
    await response.body?.cancel();
    await wait(nextMs);
    waitedMs += nextMs;
  }
};

/** What the server's refusal says to whoever has typed the command: its own words, and what to do where they leave that open. */

export interface Asking {
  readonly project: string;
  readonly hasToken: boolean;
}

/** Heat's words for a request without a good credential speak of a document, and name no token. */
const adviceOn = (status: number, { project, hasToken }: Asking): string | null => {
  if (status === 401 && !hasToken) return "No token was given: --token, or HEARTH_TOKEN.";
  if (status === 401) return "The token is mistyped, was revoked, or its time is over.";
  if (status === 403) return `Is the token one of the project ${project} (--project)?`;
  return null;
};

/** `message` is null where the answer was no error document. */
export const refusedText = (status: number, message: string | null, asking: Asking): string => {
  if (message === null) {
    return `The server answered ${status}, and not as Hearth does. "hearth doctor" looks whether the endpoint is right.`;
  }
  const advice = adviceOn(status, asking);
  return advice === null ? message : `${message} ${advice}`;
};

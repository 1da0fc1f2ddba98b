/**
 * The physical id of a creation that runs. AWS may name an identifier before it knows that an
 * object of somebody else has it. So only the end of the request tells what the object is.
 */
import type { Progress } from "../client.ts";

const PREFIX = "request:";

export const pendingId = (requestToken: string): string => PREFIX + requestToken;

/** Null: the id is an object's identifier. */
export const requestOf = (physicalId: string): string | null =>
  physicalId.startsWith(PREFIX) ? physicalId.slice(PREFIX.length) : null;

/** The handle of a creation whose object was not seen so often. */
export const unseenHandle = (requestToken: string, looks: number): string =>
  `${requestToken} ${looks}`;

export const readHandle = (handle: string): { requestToken: string; looks: number } => {
  const [requestToken = "", looks = "0"] = handle.split(" ");
  return { requestToken, looks: Number(looks) };
};

/** The object has this identifier already, and Hearth did not make it. */
const ALREADY_EXISTS = "AlreadyExists";

/** What a creation that has ended may have left. Null: nothing. */
export const leftBy = ({ status, identifier, code }: Progress): string | null =>
  status === "failed" && code === ALREADY_EXISTS ? null : identifier;

/**
 * The physical id of a creation that is still running. AWS may name an identifier before it finds
 * out that the object belongs to somebody else. So only the end of the request decides.
 */
import type { Progress } from "../client.ts";

const PREFIX = "request:";

export const pendingId = (requestToken: string): string => PREFIX + requestToken;

export const requestOf = (physicalId: string): string | null =>
  physicalId.startsWith(PREFIX) ? physicalId.slice(PREFIX.length) : null;

export const unseenHandle = (requestToken: string, looks: number): string =>
  `${requestToken} ${looks}`;

export const readHandle = (handle: string): { requestToken: string; looks: number } => {
  const [requestToken = "", looks = "0"] = handle.split(" ");
  return { requestToken, looks: Number(looks) };
};

/** An object with this identifier exists, and Hearth did not make it. */
const ALREADY_EXISTS = "AlreadyExists";

export const leftBy = ({ status, identifier, code }: Progress): string | null =>
  status === "failed" && code === ALREADY_EXISTS ? null : identifier;

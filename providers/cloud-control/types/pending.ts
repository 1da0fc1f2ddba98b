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

/** The object has this identifier already, and Hearth did not make it. */
const ALREADY_EXISTS = "AlreadyExists";

/** What a creation that has ended may have left. Null: nothing. */
export const leftBy = ({ status, identifier, code }: Progress): string | null =>
  status === "failed" && code === ALREADY_EXISTS ? null : identifier;

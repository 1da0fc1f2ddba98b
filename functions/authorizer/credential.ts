import { createHash, randomBytes } from "node:crypto";
import { type Headers, headerOf } from "#functions/http-event.ts";
import { pathSegments } from "#lib/api/tenant.ts";

export interface Credential {
  readonly token: string;
  readonly user: string | null;
}

/**
 * Reads `X-Auth-Token: <token>`, or HTTP Basic with the project as user and the token as password.
 */
export const credentialOf = (headers: Headers): Credential | null => {
  const token = headerOf(headers, "x-auth-token");
  if (token !== undefined && token !== "") return { token, user: null };
  const encoded = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(headerOf(headers, "authorization") ?? "")?.[1];
  if (encoded === undefined) return null;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon > 0 ? { user: text.slice(0, colon), token: text.slice(colon + 1) } : null;
};

const TOKEN_BYTES = 32;
const TOKEN_ID_CHARS = 12;

/**
 * A token is used in headers, URLs and command lines. There a leading dash would make it an option.
 */
export const freshToken = (): string => {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  return token.startsWith("-") ? freshToken() : token;
};

/** A token has 256 random bits. It cannot be guessed, so one plain hash is enough. */
export const tokenHash = (token: string): string =>
  createHash("sha256").update(`hearth-token:${token}`).digest("hex");

export const tokenId = (hash: string): string => hash.slice(0, TOKEN_ID_CHARS);

/**
 * Reads the path as the router does: `/v1/{project}/…`, each segment decoded.
 * @returns null if the path names no project
 */
export const projectOf = (path: string): string | null => {
  const [version, project] = pathSegments(path);
  if (version === undefined || project === undefined) return null;
  try {
    return decodeURIComponent(version) === "v1" ? decodeURIComponent(project) : null;
  } catch {
    return null;
  }
};

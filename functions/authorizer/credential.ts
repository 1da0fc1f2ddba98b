/** The API token of a request, its hash, and the project that a path names. */
import { createHash, randomBytes } from "node:crypto";
import { type Headers, headerOf } from "#functions/http-event.ts";
import { pathSegments } from "#lib/api/path-segments.ts";

export interface Credential {
  readonly token: string;
  /** The user of HTTP basic, which must be the token's project. Null when the token came alone. */
  readonly user: string | null;
}

/** `X-Auth-Token: <token>`, or HTTP basic with the project as user and the token as password. */
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
/** Enough to tell the tokens of a host apart. No token can be found from it. */
const TOKEN_ID_CHARS = 12;

/** For headers, URLs and command lines alike. There a first dash would make it an option. */
export const freshToken = (): string => {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  return token.startsWith("-") ? freshToken() : token;
};

/** A token is 256 random bits. Guessing is hopeless, so one plain hash is enough. */
export const tokenHash = (token: string): string =>
  createHash("sha256").update(`hearth-token:${token}`).digest("hex");

/** Names a token in lists and logs. */
export const tokenId = (hash: string): string => hash.slice(0, TOKEN_ID_CHARS);

/**
 * The path as the router reads it: `/v1/{project}/…`, each segment decoded. Null if it has none.
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

/** Addresses and secrets of plug-ins that are servers (docs/provider-protocol.yaml). */

import { readFileSync, statSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod/mini";
import { OTHERS } from "#lib/adapters/sqlite/folder/private-files.ts";
import { parseJson } from "#lib/json.ts";
import { AnswerLost } from "#provider/errors.ts";
import { SECRET_CHARS_MIN } from "#provider/http/protocol.ts";
import { connectProvider } from "#provider/http/remote-provider.ts";
import type { RemoteAddress } from "#provider/http/signed-request.ts";
import type { Provider } from "#provider/provider.ts";
import { isLoopbackUrl } from "../address.ts";
import { whyUnreadable } from "../operator-files.ts";

export interface RemoteAccess {
  readonly secrets: ReadonlyMap<string, string>;
  /** Allows plain HTTP to other machines, for a network that encrypts by itself. */
  readonly allowsPlainHttp: boolean;
  readonly waitSecondsMax: number;
}

export const NO_REMOTE_ACCESS: RemoteAccess = {
  secrets: new Map(),
  allowsPlainHttp: false,
  waitSecondsMax: 0,
};

const TRY_AGAIN_MS = 1_000;
const REMOTE = /^https?:\/\//;

export const isRemote = (source: string): boolean => REMOTE.test(source);

const withoutSlash = (url: string): string => url.replace(/(?<!\/)\/+$/, "");

const secretsSchema = z.record(z.string(), z.string().check(z.minLength(SECRET_CHARS_MIN)));

const parseSecrets = (text: string, place: string): ReadonlyMap<string, string> => {
  try {
    const secrets = z.parse(secretsSchema, parseJson(text));
    return new Map(Object.entries(secrets).map(([url, one]) => [withoutSlash(url), one] as const));
  } catch {
    // The parser's error is not passed on, because it would show secrets.
    throw new PluginRefused(
      `${place} must be a JSON object of addresses and secrets, which have at least ${SECRET_CHARS_MIN} characters.`,
    );
  }
};

export const readSecrets = (
  file: string | undefined,
  text: string | undefined,
): ReadonlyMap<string, string> => {
  if (file === undefined) {
    return text ? parseSecrets(text, "HEARTH_PLUGIN_SECRETS") : new Map<string, string>();
  }
  try {
    if ((statSync(file).mode & OTHERS) !== 0) {
      throw new PluginRefused(`Others can read the secrets in ${file}. Run chmod 600 on it.`);
    }
    return parseSecrets(readFileSync(file, "utf8"), file);
  } catch (error) {
    if (error instanceof PluginRefused) throw error;
    throw new PluginRefused(`${file} cannot be used: ${whyUnreadable(error)}.`, { cause: error });
  }
};

/** Throws PluginRefused if the address is invalid or not allowed. */
export const remoteAddress = (source: string, access: RemoteAccess): RemoteAddress => {
  if (!URL.canParse(source)) throw new PluginRefused("The address of a plug-in is not a URL.");
  const { origin, pathname, username, password, search, hash, protocol } = new URL(source);
  const url = withoutSlash(origin + pathname);
  if (username + password + search + hash !== "") {
    throw refused(url, "its address has a user, a query or a fragment.");
  }
  if (protocol === "http:" && !access.allowsPlainHttp && !isLoopbackUrl(url)) {
    throw refused(url, "plain HTTP is only for this machine, or with --plugin-plain-http.");
  }
  const secret = access.secrets.get(url);
  if (secret === undefined) {
    throw refused(url, "it has no secret. Name a file with --plugin-secrets that has one.");
  }
  return { url, secret };
};

export const connectPlugin = async (source: string, access: RemoteAccess): Promise<Provider> => {
  const address = remoteAddress(source, access);
  const end = Date.now() + access.waitSecondsMax * 1_000;
  for (;;) {
    try {
      return await connectProvider(address);
    } catch (error) {
      if (!(error instanceof AnswerLost)) throw error;
      if (Date.now() >= end) throw refused(address.url, `${error.message}.`, error);
      await pause(TRY_AGAIN_MS);
    }
  }
};

export class PluginRefused extends Error {
  override readonly name = "PluginRefused";
}

export const refused = (source: string, why: string, cause?: unknown): PluginRefused =>
  new PluginRefused(`The plug-in ${source} cannot be used: ${why}`, { cause });

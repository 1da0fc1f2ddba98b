/** The certificate and key of the listeners. They are read again when the files change. */

import { X509Certificate } from "node:crypto";
import { readFileSync, unwatchFile, watchFile } from "node:fs";
import { createSecureContext } from "node:tls";
import { logger } from "#functions/logger.ts";
import type { Forewarning } from "#lib/api/health.ts";
import { openMode, whyUnreadable } from "./operator-files.ts";

export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface TlsMaterial {
  readonly cert: Buffer;
  readonly key: Buffer;
}

export class TlsFilesUnusable extends Error {
  override readonly name = "TlsFilesUnusable";
}

const read = (option: string, path: string): Buffer => {
  try {
    return readFileSync(path);
  } catch (error) {
    const text = `${option} ${path} cannot be read: ${whyUnreadable(error)}.`;
    throw new TlsFilesUnusable(text, { cause: error });
  }
};

const refuseOpen = (keyFile: string, user: number | undefined): void => {
  const mode = openMode(keyFile, "the key of the certificate", user);
  if (mode === null) return;
  throw new TlsFilesUnusable(
    `--tls-key ${keyFile} gives rights to every user of this machine (mode ${mode}). Run chmod o= on it if nobody has read it.`,
  );
};

export const readTlsFiles = (
  { certFile, keyFile }: TlsFiles,
  user = process.getuid?.(),
): TlsMaterial => {
  const cert = read("--tls-cert", certFile);
  const key = read("--tls-key", keyFile);
  try {
    createSecureContext({ cert });
  } catch (error) {
    const text = `--tls-cert ${certFile} is not a certificate in PEM format.`;
    throw new TlsFilesUnusable(text, { cause: error });
  }
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    const text = `--tls-key ${keyFile} is not a key in PEM format that fits ${certFile}.`;
    throw new TlsFilesUnusable(text, { cause: error });
  }
  refuseOpen(keyFile, user);
  return { cert, key };
};

/** The files are polled: a renewed certificate is often behind a changed link. */
const LOOK_MS = 30_000;

interface WatchedTlsFiles {
  reload(): void;
  close(): void;
}

export const watchTlsFiles = (
  files: TlsFiles,
  use: (material: TlsMaterial) => void,
  lookMs = LOOK_MS,
): WatchedTlsFiles => {
  const reload = (): void => {
    try {
      use(readTlsFiles(files));
      logger.info("the certificate was read again", { certFile: files.certFile });
    } catch (error) {
      logger.error("the former certificate stays in use", error);
    }
  };
  const paths = [files.certFile, files.keyFile];
  for (const path of paths) watchFile(path, { persistent: false, interval: lookMs }, reload);
  return {
    reload,
    close: () => {
      for (const path of paths) unwatchFile(path, reload);
    },
  };
};

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
const DAY_MS = 86_400_000;
const CERTIFICATE_DAYS_MIN = 30;

export const certificateEnd = (pem: string): number | null => {
  const ends = (pem.match(CERTIFICATE) ?? []).map((text) =>
    Date.parse(new X509Certificate(text).validTo),
  );
  return ends.length === 0 ? null : Math.min(...ends);
};

const RENEW = "Renew it: the host takes a changed file within 30 seconds, or at SIGHUP";

export const certificateWarning = (end: number, now: number): Forewarning | null => {
  const left = end - now;
  if (left >= CERTIFICATE_DAYS_MIN * DAY_MS) return null;
  const at = new Date(end).toISOString();
  const found =
    left <= 0
      ? `the certificate has expired at ${at}, so clients and agents refuse it`
      : `the certificate ends in ${Math.floor(left / DAY_MS)} days, at ${at}`;
  return { part: "certificate", found, advice: RENEW };
};

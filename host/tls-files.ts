/** The certificate and key of the listeners. They are read again when they change. */
import { readFileSync, statSync, unwatchFile, watchFile } from "node:fs";
import { createSecureContext } from "node:tls";
import { logger } from "#functions/logger.ts";
import { whyUnreadable } from "./unreadable-file.ts";

export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface TlsMaterial {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** The text names the file and what is wrong with it. */
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

const OTHERS_MAY_READ = 0o004;

/**
 * No refusal, as for keys.json: a container gets its secrets in files that all its users can read.
 */
const warnIfOpen = (keyFile: string): void => {
  if ((statSync(keyFile).mode & OTHERS_MAY_READ) === 0) return;
  logger.info("every user of the machine can read the key of the certificate", { keyFile });
};

/** Throws TlsFilesUnusable. */
export const readTlsFiles = ({ certFile, keyFile }: TlsFiles): TlsMaterial => {
  const cert = read("--tls-cert", certFile);
  const key = read("--tls-key", keyFile);
  try {
    createSecureContext({ cert });
  } catch (error) {
    const text = `--tls-cert ${certFile} is no certificate in PEM format.`;
    throw new TlsFilesUnusable(text, { cause: error });
  }
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    const text = `--tls-key ${keyFile} is no key in PEM format that fits ${certFile}.`;
    throw new TlsFilesUnusable(text, { cause: error });
  }
  warnIfOpen(keyFile);
  return { cert, key };
};

/** Looks at the files themselves: a renewed certificate is often behind a changed link. */
const LOOK_MS = 30_000;

export interface WatchedTlsFiles {
  /** Reads the files now. */
  reload(): void;
  close(): void;
}

/** Gives each usable pair to `use`. An unusable one is logged, and the former stays in use. */
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

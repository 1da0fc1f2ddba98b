/**
 * Writes access.log in the data folder, one line of JSON for each request. A line has no query,
 * header or body, so it contains no signature and no token. Logging never delays a request. If more
 * requests arrive than the disk can record, lines are dropped and counted.
 */
import { constants, type FileHandle, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { loggablePath } from "#functions/api/around-requests.ts";
import { logger } from "#functions/logger.ts";
import { FILE_MODE } from "#lib/adapters/sqlite/folder/private-files.ts";

export const ACCESS_LOG_FILE = "access.log";
export const ACCESS_LOG_BYTES_MAX = 10 * 1024 * 1024;
export const ACCESS_LOG_FILES_MAX = 5;
export const LINES_WAITING_MAX = 10_000;

export interface AccessEntry {
  readonly at: number;
  readonly listener: "api" | "agents" | "metrics";
  readonly remote: string;
  readonly method: string | null;
  readonly path: string | null;
  readonly status: number | null;
  readonly project: string | null;
  /**
   * The id of a stored token. The credential that was sent is never logged: a wrong one may be a
   * password for another system.
   */
  readonly token: string | null;
  readonly reason: string | null;
}

export interface AccessLog {
  add(entry: AccessEntry): void;
  settled(): Promise<void>;
  close(): Promise<void>;
}

export const noAccessLog: AccessLog = {
  add: () => undefined,
  settled: async () => undefined,
  close: async () => undefined,
};

interface Limits {
  readonly bytesMax: number;
  readonly filesMax: number;
  readonly waitingMax: number;
}
const LIMITS: Limits = {
  bytesMax: ACCESS_LOG_BYTES_MAX,
  filesMax: ACCESS_LOG_FILES_MAX,
  waitingMax: LINES_WAITING_MAX,
};

const lineOf = ({ at, path, ...entry }: AccessEntry): string => {
  const time = new Date(at).toISOString();
  return `${JSON.stringify({ time, ...entry, path: path === null ? null : loggablePath(path) })}\n`;
};

interface OpenFile {
  readonly handle: FileHandle;
  bytes: number;
}

const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW;

const openFile = async (path: string): Promise<OpenFile> => {
  const handle = await open(path, FLAGS, FILE_MODE);
  await handle.chmod(FILE_MODE);
  return { handle, bytes: (await handle.stat()).size };
};

const shift = async (path: string, filesMax: number): Promise<void> => {
  const name = (number: number): string => (number === 0 ? path : `${path}.${number}`);
  await rm(name(filesMax - 1), { force: true });
  for (let number = filesMax - 1; number > 0; number -= 1) {
    await rename(name(number - 1), name(number)).catch(ignoreMissing);
  }
};

const ignoreMissing = (error: NodeJS.ErrnoException): void => {
  if (error.code !== "ENOENT") throw error;
};

const rotatingFile = (path: string, { bytesMax, filesMax }: Limits) => {
  let file: OpenFile | null = null;
  const close = async (): Promise<void> => {
    const old = file;
    file = null;
    await old?.handle.close();
  };
  const write = async (text: string): Promise<void> => {
    const bytes = Buffer.byteLength(text);
    file ??= await openFile(path);
    if (file.bytes > 0 && file.bytes + bytes > bytesMax) {
      await close();
      await shift(path, filesMax);
      file = await openFile(path);
    }
    await file.handle.appendFile(text);
    file.bytes += bytes;
  };
  return { write, close };
};

export const openAccessLog = (
  folder: string,
  wants: (entry: AccessEntry) => boolean,
  limits: Limits = LIMITS,
): AccessLog => {
  const file = rotatingFile(join(folder, ACCESS_LOG_FILE), limits);
  let waiting: string[] = [];
  let lost = 0;
  let writing: Promise<void> | null = null;
  let isFailing = false;
  let isClosed = false;

  const writeWaiting = async (): Promise<void> => {
    while (waiting.length > 0) {
      const lines = waiting;
      waiting = [];
      const reported = lost;
      const report = lost > 0 ? `${JSON.stringify({ lost_lines: lost })}\n` : "";
      try {
        await file.write(lines.join("") + report);
        lost -= reported;
        isFailing = false;
      } catch (error) {
        lost += lines.length;
        // On a full disk every write fails, and the host's own log may be on the same disk. So only
        // the first failure is logged.
        if (!isFailing) logger.error("the access log cannot be written", error);
        isFailing = true;
        await file.close().catch(() => undefined);
      }
    }
    writing = null;
  };

  return {
    add: (entry) => {
      if (isClosed || !wants(entry)) return;
      if (waiting.length >= limits.waitingMax) {
        lost += 1;
        return;
      }
      waiting.push(lineOf(entry));
      writing ??= writeWaiting();
    },
    settled: async () => {
      await writing;
    },
    close: async () => {
      isClosed = true;
      await writing;
      await file.close();
    },
  };
};

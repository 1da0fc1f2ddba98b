/**
 * Warnings about what will fail later: disk space, keys, backups, tokens and agents. A project
 * hears only of its own tokens and servers.
 */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { tokenId } from "#functions/authorizer/credential.ts";
import { logger } from "#functions/logger.ts";
import type { StoredToken } from "#lib/adapters/sqlite/api-tokens.ts";
import { type DiskSpace, diskSpace } from "#lib/adapters/sqlite/disk-space.ts";
import { FAKE_PROVIDER_FILE } from "#lib/adapters/sqlite/fake-provider.ts";
import { KEYS_FILE, readKeys } from "#lib/adapters/sqlite/folder/keys.ts";
import { codeOf, FolderRefused } from "#lib/adapters/sqlite/folder/private-files.ts";
import { DATABASE_FILE, type SqliteAdapter } from "#lib/adapters/sqlite/open-sqlite.ts";
import type { Forewarning } from "#lib/api/health.ts";
import { RetryLater } from "#lib/errors.ts";
import type { Clock } from "#lib/ports/ports.ts";
import { type AgentContact, agentContact } from "#lib/software-config/diagnosis/agent-contact.ts";
import { certificateEnd, certificateWarning, type TlsFiles } from "./tls-files.ts";

const DAY_MS = 86_400_000;
/** If less of a disk is free, other programs may fill it within hours. */
const FREE_SHARE_MIN = 0.05;
/** The host also writes this much beside its databases: their longest logs and the access log. */
const LOGS_BYTES = 256 * 1024 * 1024;
const KEY_DAYS_MAX = 365;
const BACKUP_DAYS_MAX = 7;
/** For a token whose whole lifetime is short, the warning begins in the last fifth of it. */
const TOKEN_DAYS_MIN = 14;
const TOKEN_PART_MIN = 5;
const NAMED_MAX = 5;

export interface Foreseen {
  readonly folder: string;
  readonly database: Pick<SqliteAdapter, "tokens" | "seenServers" | "lastBackupAt">;
  readonly clock: Clock;
  readonly diskOf?: (folder: string) => DiskSpace;
}

export const dataBytes = (folder: string): number =>
  [DATABASE_FILE, FAKE_PROVIDER_FILE].reduce(
    (sum, file) => sum + (statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );

const mebibytes = (bytes: number): string => `${Math.floor(bytes / 1_048_576)} MiB`;

const days = (ms: number): string => {
  const whole = Math.floor(ms / DAY_MS);
  return whole === 1 ? "1 day" : `${whole} days`;
};

export const readable = <T>(read: () => T): T | null => {
  try {
    return read();
  } catch (error) {
    if (error instanceof FolderRefused || codeOf(error) !== undefined) return null;
    throw error;
  }
};

const aboutDisk = ({ folder, diskOf = diskSpace }: Foreseen): readonly Forewarning[] => {
  const disk = readable(() => diskOf(folder));
  if (disk === null) return [];
  const { bytes, freeBytes } = disk;
  const needed = dataBytes(folder) + LOGS_BYTES;
  const isShort = freeBytes < needed;
  if (!isShort && freeBytes >= bytes * FREE_SHARE_MIN) return [];
  const used = Math.floor((1 - freeBytes / bytes) * 100);
  const why = isShort ? `, and a backup or an upgrade may need ${mebibytes(needed)}` : "";
  return [
    {
      part: "disk",
      found: `the disk of ${folder} is ${used} % full: ${mebibytes(freeBytes)} are free${why}`,
      advice: `Free space, or move the folder to a larger disk. "hearth purge" removes what is left of deleted stacks`,
    },
  ];
};

/** The first key of a folder has no recorded time, so the time of its file is used. */
export const keyTime = (folder: string): number | null =>
  readable(() => {
    const made = readKeys(folder)?.signing[0]?.made_at;
    return made === undefined ? statSync(join(folder, KEYS_FILE)).mtimeMs : Date.parse(made);
  });

const aboutKeys = ({ folder }: Foreseen, now: number): readonly Forewarning[] => {
  const made = keyTime(folder);
  if (made === null || now - made <= KEY_DAYS_MAX * DAY_MS) return [];
  return [
    {
      part: "signing key",
      found: `the key that signs the agents' URLs is ${days(now - made)} old`,
      advice: `Run "hearth keys rotate --data ${folder}": URLs that were given out stay valid`,
    },
  ];
};

const aboutBackups = (foreseen: Foreseen, now: number): readonly Forewarning[] => {
  const { folder, database } = foreseen;
  const last = database.lastBackupAt();
  const since = last ?? keyTime(folder);
  if (since === null || now - since <= BACKUP_DAYS_MAX * DAY_MS) return [];
  const found =
    last === null
      ? `no backup was made by "hearth backup" in ${days(now - since)}`
      : `the last backup is ${days(now - since)} old`;
  const advice = `Run "hearth backup FILE --data ${folder}", best by a timer`;
  return [{ part: "backup", found, advice }];
};

const endsSoon = ({ createdAt, expiresAt }: StoredToken, now: number): boolean => {
  if (expiresAt === null) return false;
  const notice = Math.min(TOKEN_DAYS_MIN * DAY_MS, (expiresAt - createdAt) / TOKEN_PART_MIN);
  return expiresAt - now < notice;
};

const listed = (names: readonly string[]): string => {
  const left = names.length - NAMED_MAX;
  return [...names.slice(0, NAMED_MAX), ...(left > 0 ? [`${left} more`] : [])].join(", ");
};

const endOf = ({ expiresAt }: StoredToken): string =>
  expiresAt === null ? "never" : new Date(expiresAt).toISOString();

export const tokensThatEnd = ({ database }: Foreseen, now: number): readonly StoredToken[] =>
  database.tokens.listLive(now).filter((token) => endsSoon(token, now));

const aboutTokens = (
  ending: readonly StoredToken[],
  project: string,
  actor: string | undefined,
): readonly Forewarning[] => {
  const isOwn = ({ hash }: StoredToken): boolean => actor === `token:${tokenId(hash)}`;
  const own = ending.find(isOwn);
  const others = ending.filter((token) => !isOwn(token));
  const advice = `Make another one: "hearth token create --project ${project}"`;
  return [
    ...(own ? [{ part: "token", found: `this token ends at ${endOf(own)}`, advice }] : []),
    ...(others.length === 0
      ? []
      : [
          {
            part: "tokens",
            found: `API tokens of this project end soon: ${listed(others.map((token) => `${tokenId(token.hash)} at ${endOf(token)}`))}`,
            advice,
          },
        ]),
  ];
};

const CONTACTS = {
  refused: {
    found: "the agents of these servers are refused at each poll",
    advice:
      'Run what "hearth server bootstrap STACK SERVER" prints on these machines. "hearth server list" has the times',
  },
  silent: {
    found: "the agents of these servers have not polled for half an hour or more",
    advice:
      'Start the machines or their agents ("systemctl status hearth-agent"). "hearth server list" has the times',
  },
} as const satisfies Partial<Record<AgentContact, Omit<Forewarning, "part">>>;

const aboutAgents = (
  { database }: Foreseen,
  project: string,
  now: number,
): readonly Forewarning[] => {
  const servers = database.seenServers().filter(({ tenant }) => tenant === project);
  return (["refused", "silent"] as const).flatMap((contact) => {
    const names = servers.filter((one) => agentContact(one, now) === contact);
    if (names.length === 0) return [];
    const { found, advice } = CONTACTS[contact];
    const some = listed(names.map(({ name }) => name));
    return [{ part: "agents", found: `${found}: ${some}`, advice }];
  });
};

export const hostForewarnings = (foreseen: Foreseen): readonly Forewarning[] => {
  const now = foreseen.clock.now();
  return [...aboutDisk(foreseen), ...aboutKeys(foreseen, now), ...aboutBackups(foreseen, now)];
};

export const forewarnings = (
  foreseen: Foreseen,
  project: string,
  actor: string | undefined,
): readonly Forewarning[] => {
  const now = foreseen.clock.now();
  const ending = tokensThatEnd(foreseen, now).filter(({ tenant }) => tenant === project);
  return [
    ...hostForewarnings(foreseen),
    ...aboutTokens(ending, project, actor),
    ...aboutAgents(foreseen, project, now),
  ];
};

const EVERY_MS = 86_400_000;

interface Looked {
  readonly foreseen: Foreseen | null;
  readonly tls: TlsFiles | undefined;
}

const look = ({ foreseen, tls }: Looked, now: number): void => {
  const end = tls === undefined ? null : certificateEnd(readFileSync(tls.certFile, "utf8"));
  const certificate = end === null ? null : certificateWarning(end, now);
  const others = foreseen === null ? [] : hostForewarnings(foreseen);
  for (const { part, found, advice } of [...(certificate ? [certificate] : []), ...others])
    logger.warn(found, { part, advice });
};

/** `now` is the machine's time, because certificates are checked against the machine's clock. */
export const startDailyWarnings = (
  looked: Looked,
  now: () => number = Date.now,
  everyMs = EVERY_MS,
): { readonly stop: () => void } => {
  const tell = (): void => {
    try {
      look(looked, now());
    } catch (error) {
      if (!(error instanceof RetryLater)) logger.error("the daily look at the host failed", error);
    }
  };
  tell();
  const timer = setInterval(tell, everyMs);
  return { stop: () => clearInterval(timer) };
};

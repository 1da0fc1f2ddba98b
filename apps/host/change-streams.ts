/**
 * Server-sent events that say which stacks of a project have changed. They are only hints: a client
 * reads the stacks again, so a lost event delays the display and loses no data.
 */
import type { ServerResponse } from "node:http";
import type { Change } from "#lib/model/event.ts";

const GATHER_MS = 250;
/** Shorter than the time after which the listener closes a silent connection. */
const BEAT_MS = 30_000;
const STREAM_MS_MAX = 300_000;
/**
 * The number of streams of all projects. A client without a stream polls instead.
 * @limit streams of changes that browsers read at once
 * @beyond 503 with `Retry-After`. A project with fewer of them gets the oldest of the project that
 * has most
 */
export const STREAMS_MAX = 200;
/** A stream is closed if the client leaves more than this unread. */
const UNREAD_BYTES_MAX = 64 * 1024;
const STACKS_NAMED_MAX = 100;

const PATH = /^\/v1\/([^/]+)\/_changes$/;
const HEADERS = { "Content-Type": "text/event-stream", "Cache-Control": "no-store" } as const;

/**
 * Asks again whether the request is admitted, because its token may have expired or been revoked.
 */
export type IsAdmitted = () => Promise<boolean>;

export type Stream = (response: ServerResponse, isAdmitted: IsAdmitted) => void;

export interface ChangeStreams {
  announce(changes: readonly Change[]): void;
  /**
   * Does not check access: the guard has done so.
   * @returns null if the request does not ask for a stream
   */
  find(method: string, path: string): Stream | null;
  close(): void;
}

interface Reader {
  readonly tenant: string;
  readonly response: ServerResponse;
  readonly isAdmitted: IsAdmitted;
}

const eventOf = (stacks: ReadonlySet<string>): string => {
  const named = stacks.size > STACKS_NAMED_MAX ? { all: true } : { stacks: [...stacks] };
  return `event: change\ndata: ${JSON.stringify(named)}\n\n`;
};

const decoded = (segment: string): string | null => {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
};

/**
 * Closes the oldest stream of the project with most streams. A project never loses a stream to one
 * that would then have more.
 */
const makeRoom = (readers: Set<Reader>, tenant: string): boolean => {
  const ofProject = Map.groupBy(readers, (reader) => reader.tenant);
  const all = [...ofProject.values()].toSorted((left, right) => right.length - left.length);
  const [[oldest] = [], most = 0] = [all[0], all[0]?.length];
  const own = ofProject.get(tenant)?.length ?? 0;
  if (oldest === undefined || own + 1 >= most) return false;
  readers.delete(oldest);
  oldest.response.end();
  return true;
};

const write = ({ response }: Reader, text: string): void => {
  if (response.writableLength > UNREAD_BYTES_MAX) response.destroy();
  else response.write(text);
};

const writeIfAdmitted = async (reader: Reader, text: string): Promise<void> => {
  if (await reader.isAdmitted()) write(reader, text);
  else reader.response.end();
};

export const openChangeStreams = (steps: boolean): ChangeStreams => {
  const readers = new Set<Reader>();
  const gathered = new Map<string, Set<string>>();
  let timer: NodeJS.Timeout | undefined;

  const tell = (): void => {
    timer = undefined;
    for (const reader of readers) {
      const stacks = gathered.get(reader.tenant);
      if (stacks !== undefined) void writeIfAdmitted(reader, eventOf(stacks));
    }
    gathered.clear();
  };

  const stream = (tenant: string, response: ServerResponse, isAdmitted: IsAdmitted): void => {
    if (readers.size >= STREAMS_MAX && !makeRoom(readers, tenant)) {
      response.writeHead(503, { "Retry-After": "60", "Content-Length": "0" }).end();
      return;
    }
    const reader = { tenant, response, isAdmitted };
    readers.add(reader);
    const beat = setInterval(() => void writeIfAdmitted(reader, ":\n\n"), BEAT_MS);
    const end = setTimeout(() => response.end(), STREAM_MS_MAX);
    response.once("close", () => {
      readers.delete(reader);
      clearInterval(beat);
      clearTimeout(end);
    });
    response.writeHead(200, HEADERS);
    write(reader, `event: open\ndata: ${JSON.stringify(steps ? { steps } : {})}\n\n`);
  };

  return {
    announce: (changes) => {
      if (readers.size === 0) return;
      for (const { newImage } of changes) {
        const id = newImage.tenant;
        const stacks = gathered.get(id) ?? new Set<string>();
        gathered.set(id, stacks.add("stackId" in newImage ? newImage.stackId : newImage.id));
      }
      timer ??= setTimeout(tell, GATHER_MS);
    },
    find: (method, path) => {
      const segment = method === "GET" ? PATH.exec(path)?.[1] : undefined;
      const tenant = segment === undefined ? null : decoded(segment);
      return tenant === null
        ? null
        : (response, isAdmitted) => stream(tenant, response, isAdmitted);
    },
    close: () => {
      clearTimeout(timer);
      for (const { response } of readers) response.end();
    },
  };
};

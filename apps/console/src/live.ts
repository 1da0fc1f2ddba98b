/**
 * Tells a screen when to read again: at each hint of the host's stream, and every few seconds if
 * there is no stream. A page in the background has no stream and asks nothing.
 */
import * as z from "zod";
import type { Session } from "./session.ts";
import { eventReader } from "./sse.ts";
import { transport } from "./transport.ts";

const POLL_MS = 4_000;
const REOPEN_MS = 1_000;

/** The ids of changed stacks; with `all` anything may have changed. */
export type Hint = "all" | readonly string[];
const HintShape = z.union([
  z.object({ stacks: z.array(z.string()) }).transform(({ stacks }): Hint => stacks),
  z.object({ all: z.literal(true) }).transform((): Hint => "all"),
]);

const OpenShape = z.object({ steps: z.literal(true) });
const stepsIn = (data: string): boolean => {
  try {
    return OpenShape.safeParse(JSON.parse(data)).success;
  } catch {
    return false;
  }
};

const hintOf = (data: string): Hint => {
  try {
    return HintShape.parse(JSON.parse(data));
  } catch {
    return "all";
  }
};

export type LiveState = "live" | "polling" | "paused";

interface Watcher {
  readonly changed: (hint: Hint) => void;
  readonly state: (state: LiveState) => void;
  readonly steps: () => void;
}

/** @returns false when the host offered no stream. */
const readStream = async (
  { project, token }: Session,
  { changed, state, steps }: Watcher,
  signal: AbortSignal,
): Promise<boolean> => {
  const { endpoint, fetch } = transport();
  const response = await fetch(`${endpoint}/v1/${encodeURIComponent(project)}/_changes`, {
    headers: { Accept: "text/event-stream", ...(token === null ? {} : { "X-Auth-Token": token }) },
    credentials: "omit",
    signal,
  });
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (!response.ok || !isStream || response.body === null) {
    await response.body?.cancel();
    return false;
  }
  const read = eventReader();
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    for (const { name, data } of read(part.value)) {
      if (name === "open") state("live");
      if (name === "open" && stepsIn(data)) steps();
      // Changes before the stream was open have no hint.
      changed(name === "change" ? hintOf(data) : "all");
    }
  }
  return true;
};

/** The listener is removed, because one signal lives through thousands of pauses. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });

const follow = async (session: Session, watcher: Watcher, signal: AbortSignal): Promise<void> => {
  while (!signal.aborted) {
    const wasStream = await readStream(session, watcher, signal).catch(() => false);
    if (signal.aborted) return;
    if (!wasStream) watcher.state("polling");
    await pause(wasStream ? REOPEN_MS : POLL_MS, signal);
    if (!signal.aborted && !wasStream) watcher.changed("all");
  }
};

export const watchChanges = (session: Session, watcher: Watcher): (() => void) => {
  let following: AbortController | null = null;
  const look = (): void => {
    if (document.visibilityState === "hidden") {
      following?.abort();
      following = null;
      watcher.state("paused");
    } else if (following === null) {
      following = new AbortController();
      watcher.changed("all");
      void follow(session, watcher, following.signal);
    }
  };
  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    document.removeEventListener("visibilitychange", look);
    following?.abort();
  };
};

/**
 * Watches an operation: with a live tree on a terminal, or with lines in a pipe. With --json,
 * standard output contains only the document, so the reasons of a wait go to standard error.
 */

import { createLogUpdate } from "log-update";
import picocolors from "picocolors";
import type { Client } from "#client/client.ts";
import { pause } from "#client/pause.ts";
import { tryDiagnosis } from "#client/stack-diagnosis.ts";
import type { Watcher } from "#client/wait.ts";
import type { Text, WireEvent, WireResource, WireStack } from "#client/wire.ts";
import { isoTime } from "#lib/texts.ts";
import { eventLine, writeLines } from "../print.ts";
import { causeByName, waitingCauses } from "./diagnose.ts";
import { type ResourceRow, type TreeRow, treeLines } from "./live-tree.ts";

interface Display extends Watcher {
  readonly done: () => void;
}

const HEIGHT_DEFAULT = 24;
const WIDTH_DEFAULT = 80;

export const openDisplay = (client: Client, options: { readonly json: boolean }): Display => {
  if (options.json) return lineByLine(client, { events: () => undefined, reasons: warnLines });
  if (process.stdout.isTTY) return liveTree(client);
  return lineByLine(client, { events: writeEvents, reasons: writeLines });
};

const writeEvents = (events: readonly WireEvent[]): void =>
  writeLines(events.map((event) => eventLine(event)));

const warnLines = (lines: readonly string[]): void => {
  for (const line of lines) process.stderr.write(`${line}\n`);
};

const warn = (message: string): void => {
  process.stderr.write(`${message} Waiting for it.\n`);
};

const lineByLine = (
  client: Client,
  write: {
    readonly events: (events: readonly WireEvent[]) => void;
    readonly reasons: (lines: readonly string[]) => void;
  },
): Display => {
  const begunAt = Date.now();
  const reasons = openWaitReasons(begunAt);
  // An operation that ends within the first interval needs no reason.
  const causes = openCauses(client, waitingCauses, begunAt + DIAGNOSIS_INTERVAL_MS);
  return {
    pause,
    update: async (stack, newEvents) => {
      write.events(newEvents);
      if (newEvents.length > 0) reasons.heard(Date.now());
      const found = await causes(stack);
      if (found.isNew) write.reasons(reasons.due(stack, found.causes, Date.now()));
    },
    outage: warn,
    done: () => undefined,
  };
};

const liveTree = (client: Client): Display => {
  const screen = createLogUpdate(process.stdout, { showCursor: true });
  const causes = openCauses(client, causeByName, 0);
  const tree = openTreeRows();
  return {
    pause,
    update: async (stack, newEvents) => {
      tree.heard(stack, newEvents);
      const resources = await client.resources(stack);
      const found = await causes(stack);
      if (found.isNew || found.causes.size === 0) tree.diagnosed(found.causes, resources);
      const { columns = WIDTH_DEFAULT, rows: height = HEIGHT_DEFAULT } = process.stdout;
      const lines = treeLines(tree.stackRow(stack), tree.resourceRows(resources), {
        width: columns,
        height: height - 1,
        now: Date.now(),
        colors: picocolors.createColors(picocolors.isColorSupported),
      });
      screen(lines.join("\n"));
    },
    outage: (message) => screen(`${message} Waiting for it.`),
    done: () => screen.done(),
  };
};

/**
 * The rows of the tree. A stack may have the name of one of its resources, so its events are told
 * apart by its id. A cause is shown only until its resource has another status.
 */
export const openTreeRows = () => {
  const latest = new Map<string, WireEvent>();
  let latestOfStack: WireEvent | undefined;
  let explained: ReadonlyMap<string, string> = new Map();
  let statuses: ReadonlyMap<string, string> = new Map();
  return {
    heard: ({ id }: Pick<WireStack, "id">, events: readonly WireEvent[]): void => {
      for (const event of events) {
        if (event.physical_resource_id === id) latestOfStack = event;
        else latest.set(event.resource_name, event);
      }
    },
    diagnosed: (causes: ReadonlyMap<string, string>, resources: readonly WireResource[]): void => {
      explained = causes;
      statuses = new Map(resources.map((one) => [one.resource_name, one.resource_status]));
    },
    stackRow: (stack: WireStack): TreeRow => ({
      name: stack.stack_name,
      type: "",
      status: stack.stack_status,
      reason: stack.stack_status_reason,
      since: timeOf(latestOfStack?.event_time ?? stack.updated_time),
    }),
    resourceRows: (resources: readonly WireResource[]): readonly ResourceRow[] =>
      resources.map((resource) => {
        const { resource_name: name, resource_status: status } = resource;
        const event = latest.get(name);
        const cause = statuses.get(name) === status ? explained.get(name) : undefined;
        return {
          name,
          type: resource.resource_type,
          status,
          reason: cause ?? (event?.resource_status_reason || resource.resource_status_reason),
          waits: cause !== undefined,
          since: timeOf(event?.event_time ?? resource.updated_time),
          requiredBy: resource.required_by ?? [],
        };
      }),
  };
};

/** The stack is read each second, but a diagnosis costs several reads for each deployment. */
const DIAGNOSIS_INTERVAL_MS = 5_000;

interface FoundCauses {
  readonly causes: ReadonlyMap<string, string>;
  readonly isNew: boolean;
}

const openCauses = (client: Client, causesOf: typeof causeByName, firstAt: number) => {
  let known: ReadonlyMap<string, string> = new Map();
  let askAt = firstAt;
  return async (stack: WireStack): Promise<FoundCauses> => {
    if (!stack.stack_status.endsWith("_IN_PROGRESS")) return { causes: new Map(), isNew: false };
    if (Date.now() < askAt) return { causes: known, isNew: false };
    askAt = Date.now() + DIAGNOSIS_INTERVAL_MS;
    const answer = await tryDiagnosis(client, stack);
    known = answer === null ? known : causesOf(stack, answer.diagnosis);
    return { causes: known, isNew: true };
  };
};

const timeOf = (text: Text): number | null => {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? null : time;
};

const REMINDERS_MS = [30_000, 120_000, 600_000] as const;
/** Later reminders come every ten minutes, because many CI systems end a silent job then. */
const REMINDER_INTERVAL_MS = 600_000;
const REASONS_MAX = 5;

/** Times such as `12 s` and `3 min` differ at each look. */
const TIMES = /\b\d+ (?:s|min|h|days)\b/g;

interface WaitReasons {
  readonly heard: (now: number) => void;
  readonly due: (
    stack: Pick<WireStack, "stack_name" | "stack_status">,
    causes: ReadonlyMap<string, string>,
    now: number,
  ) => readonly string[];
}

/**
 * Prints why resources wait where there is no live tree: in a pipe, in a log, in CI. For example:
 *
 *     2026-01-01T00:00:30Z [dep] waits: published 32 s ago; server box has not polled yet
 *
 * A reason is printed when it changes, and again when nothing has changed for a while, so that a
 * command that waits does not look like one that hangs. Times that pass are no change.
 */
export const openWaitReasons = (begunAt: number): WaitReasons => {
  let printed = new Map<string, string>();
  let changedAt = begunAt;
  let reminders = 0;
  const heard = (now: number): void => {
    changedAt = now;
    reminders = 0;
  };
  return {
    heard,
    due: ({ stack_name: name, stack_status: status }, causes, now) => {
      const changed = [...causes].filter(([of, text]) => printed.get(of) !== timeless(text));
      printed = new Map([...causes].map(([of, text]) => [of, timeless(text)]));
      if (changed.length > 0) {
        heard(now);
        return reasonLines(changed, now);
      }
      if (now - changedAt < reminderMs(reminders)) return [];
      reminders += 1;
      const still = `${isoTime(now)} [${name}] is still ${status}: "hearth stack diagnose ${name}" says more.`;
      return [...reasonLines([...causes], now), still];
    },
  };
};

const timeless = (text: string): string => text.replaceAll(TIMES, "");

const reminderMs = (given: number): number =>
  REMINDERS_MS[given] ?? (given - REMINDERS_MS.length + 2) * REMINDER_INTERVAL_MS;

const reasonLines = (
  reasons: readonly (readonly [name: string, text: string])[],
  now: number,
): readonly string[] => {
  const shown = reasons
    .slice(0, REASONS_MAX)
    .map(([name, text]) => `${isoTime(now)} [${name}] waits: ${text}`);
  const more = reasons.length - shown.length;
  return more === 0 ? shown : [...shown, `${isoTime(now)} ${more} more resources wait.`];
};

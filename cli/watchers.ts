/**
 * The three ways to watch an operation: a live tree on a terminal, lines in a pipe,
 * nothing with `--json`.
 */
import { createLogUpdate } from "log-update";
import picocolors from "picocolors";
import type { Client } from "#client/client.ts";
import { pause } from "#client/pause.ts";
import { tryDiagnosis } from "#client/stack-diagnosis.ts";
import type { Watcher } from "#client/wait.ts";
import type { Text, WireEvent, WireStack } from "#client/wire.ts";
import { causeByName } from "./diagnosis-lines.ts";
import { type ResourceRow, treeLines } from "./live-tree.ts";
import { eventLine, writeLines } from "./print.ts";

/** `done` leaves the last picture on the screen. */
export interface Display extends Watcher {
  readonly done: () => void;
}

const HEIGHT_DEFAULT = 24;
const WIDTH_DEFAULT = 80;

export const openDisplay = (client: Client, options: { readonly json: boolean }): Display => {
  if (options.json) {
    return { pause, update: async () => undefined, outage: warn, done: () => undefined };
  }
  return process.stdout.isTTY ? liveTree(client) : eventLines();
};

const warn = (message: string): void => {
  process.stderr.write(`${message} Waiting for it.\n`);
};

const eventLines = (): Display => ({
  pause,
  update: async (_stack, newEvents) => writeLines(newEvents.map((event) => eventLine(event))),
  outage: warn,
  done: () => undefined,
});

const liveTree = (client: Client): Display => {
  const screen = createLogUpdate(process.stdout, { showCursor: true });
  const latest = new Map<string, WireEvent>();
  const causes = openCauses(client);
  return {
    pause,
    update: async (stack, newEvents) => {
      for (const event of newEvents) latest.set(event.resource_name, event);
      const resources = await client.resources(stack);
      const explained = await causes(stack);
      const rows = resources.map((resource): ResourceRow => {
        const event = latest.get(resource.resource_name);
        const cause = explained.get(resource.resource_name);
        return {
          name: resource.resource_name,
          type: resource.resource_type,
          status: resource.resource_status,
          reason: cause ?? (event?.resource_status_reason || resource.resource_status_reason),
          waits: cause !== undefined,
          since: timeOf(event?.event_time ?? resource.updated_time),
          requiredBy: resource.required_by ?? [],
        };
      });
      const { columns = WIDTH_DEFAULT, rows: height = HEIGHT_DEFAULT } = process.stdout;
      const lines = treeLines(stackRow(stack, latest.get(stack.stack_name)), rows, {
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

/** A picture each second; a diagnosis costs several reads for each deployment. */
const DIAGNOSIS_INTERVAL_MS = 5_000;

/** What holds each waiting resource of the stack up, at most a few seconds old. */
const openCauses = (client: Client) => {
  let known: ReadonlyMap<string, string> = new Map();
  let askAt = 0;
  return async (stack: WireStack): Promise<ReadonlyMap<string, string>> => {
    if (!stack.stack_status.endsWith("_IN_PROGRESS")) return new Map();
    if (Date.now() < askAt) return known;
    askAt = Date.now() + DIAGNOSIS_INTERVAL_MS;
    const answer = await tryDiagnosis(client, stack);
    known = answer === null ? known : causeByName(stack, answer.diagnosis);
    return known;
  };
};

const stackRow = (stack: WireStack, event: WireEvent | undefined) => ({
  name: stack.stack_name,
  type: "",
  status: stack.stack_status,
  reason: stack.stack_status_reason,
  since: timeOf(event?.event_time ?? stack.updated_time),
});

const timeOf = (text: Text): number | null => {
  const time = Date.parse(text ?? "");
  return Number.isNaN(time) ? null : time;
};

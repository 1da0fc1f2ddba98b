import { z } from "zod";
import { pathIn, placeBelow } from "#client/client.ts";
import { openNestedPaths } from "#client/nested-paths.ts";
import { PAGE_ENTRIES_MAX } from "#client/pages.ts";
import { pause } from "#client/pause.ts";
import type { WireEvent, WireStack } from "#client/wire.ts";
import { eventLines, maskedJsonText, terminalWidth, writeLines } from "../print.ts";
import type { Session } from "../session.ts";

const FOLLOW_MS = 1_000;

interface Asked {
  readonly follow: boolean;
  readonly nestedDepth: number;
  readonly resource?: string | undefined;
  /** Milliseconds since 1970. */
  readonly since?: number | undefined;
  readonly limit?: number | undefined;
}

export const showEvents = async (
  session: Session,
  top: WireStack,
  { follow, resource, ...asked }: Asked,
): Promise<void> => {
  const { nestedDepth } = asked;
  const { stack, name, above } = await placeOf(session, top, resource);
  const query = { nestedDepth, ...(name === undefined ? {} : { resource_name: name }) };
  const paths = openNestedPaths(stack);
  const shown = await askedEvents(session, stack, query, asked);
  paths.learnEvents(shown);
  const linesOf = (event: WireEvent): readonly string[] =>
    eventLines(event, `${above}${paths.ofEvent(event)}`, terminalWidth());
  if (!follow) {
    if (shown.length === 0 && name !== undefined) await refuseUnknown(session, stack, name);
    return session.print({ events: shown }, () => shown.flatMap(linesOf));
  }
  // With --json each line is one document. Ctrl-C ends the loop.
  const followed = (event: WireEvent): readonly string[] =>
    session.json ? [maskedJsonText(event, 0)] : linesOf(event);
  writeLines(shown.flatMap(followed));
  // Events that do not match the query cannot be used as a page marker.
  let marker = shown.at(-1)?.id ?? (await newestId(session, stack, query));
  for (;;) {
    await pause(FOLLOW_MS);
    const events = await session.client.events(stack, { ...query, marker });
    paths.learnEvents(events);
    writeLines(events.flatMap(followed));
    marker = events.at(-1)?.id ?? marker;
  }
};

interface Place {
  readonly stack: WireStack;
  readonly name: string | undefined;
  /** The path of this stack below the one that the user has named. */
  readonly above: string;
}

/** `group/member` is a resource of the stack that `group` nests. */
const placeOf = async (
  { client }: Session,
  top: WireStack,
  resource: string | undefined,
): Promise<Place> => {
  if (resource === undefined) return { stack: top, name: undefined, above: "" };
  const { stack, name } = await placeBelow(client, top, resource);
  return { stack, name, above: resource.slice(0, resource.length - name.length) };
};

/** A resource may have no events yet, but a name that does not exist is an error. */
const refuseUnknown = async (
  { client }: Session,
  stack: WireStack,
  name: string,
): Promise<void> => {
  if (name !== stack.stack_name) await client.request("GET", pathIn(stack, name), z.unknown());
};

type Query = { readonly nestedDepth: number; readonly resource_name?: string };

const newestId = async (
  { client }: Session,
  stack: WireStack,
  query: Query,
): Promise<string | null> => {
  const [newest] = await client.events(stack, { ...query, sort_dir: "desc", limit: 1 });
  return newest?.id ?? null;
};

/** Oldest first. Without a time the host itself picks the newest events. */
const askedEvents = async (
  { client }: Session,
  stack: WireStack,
  query: Query,
  { since, limit }: Asked | Omit<Asked, "follow">,
): Promise<readonly WireEvent[]> => {
  if (limit !== undefined && since === undefined && limit <= PAGE_ENTRIES_MAX) {
    return (await client.events(stack, { ...query, sort_dir: "desc", limit })).toReversed();
  }
  const all = await client.events(stack, query);
  const young = all.filter(({ event_time }) => since === undefined || timeOf(event_time) >= since);
  return limit === undefined ? young : young.slice(-limit);
};

/** Event times are whole seconds, so an event may be up to 999 ms younger than its time says. */
const timeOf = (text: string): number => Date.parse(text) + 999;

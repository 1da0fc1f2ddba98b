import type { ServerFindings } from "#lib/model/sighting.ts";
import type { UrlQuery } from "../agent-requests/urls.ts";
import { isDocumentVersion } from "../document/document-version.ts";
import {
  ADDRESS_CHARS_MAX,
  AGENT_CHARS_MAX,
  POLL_NOTE_INTERVAL_MS,
  TOOLS_CHARS_MAX,
} from "./limits.ts";

export interface Sender {
  readonly address: string | null;
  readonly agent: string | null;
}

export interface Poll {
  readonly query: UrlQuery;
  readonly sender: Sender;
}

export interface PollChanges {
  readonly isNewlyServed: boolean;
  readonly isNewlyApplied: boolean;
  readonly hasNews: boolean;
  readonly findings: Partial<ServerFindings>;
}

/** @returns null if nothing is worth a write */
export const pollChanges = (
  known: ServerFindings,
  poll: Poll,
  version: string,
  now: number,
): PollChanges | null => {
  const { applied, unsent } = poll.query;
  const isNewlyServed = version !== known.servedVersion;
  const appliedVersion = applied !== undefined && isDocumentVersion(applied) ? applied : null;
  const isNewlyApplied =
    appliedVersion !== null &&
    appliedVersion === known.servedVersion &&
    appliedVersion !== known.appliedVersion;
  const tools = toolsOf(poll.query);
  const unsentConfigId = unsent !== undefined && ID.test(unsent) ? unsent : null;
  const isDue = known.lastPollAt === null || now - known.lastPollAt >= POLL_NOTE_INTERVAL_MS;
  const hasNewReport = unsentConfigId !== known.unsentConfigId || !sameTools(tools, known.tools);
  const hasNews = isNewlyServed || isNewlyApplied || hasNewReport || known.firstPollAt === null;
  if (!hasNews && !isDue) return null;
  const first = known.firstPollAt === null ? { firstPollAt: now } : {};
  const served = isNewlyServed ? { servedVersion: version, servedAt: now } : {};
  const application = isNewlyApplied ? { appliedVersion, appliedAt: now } : {};
  const findings: Partial<ServerFindings> = {
    lastPollAt: now,
    address: printable(poll.sender.address, ADDRESS_CHARS_MAX),
    agent: printable(poll.sender.agent, AGENT_CHARS_MAX),
    tools,
    unsentConfigId,
    ...first,
    ...served,
    ...application,
  };
  return { isNewlyServed, isNewlyApplied, hasNews, findings };
};

const ID = /^[0-9a-f-]{36}$/;
const TOOLS = /^[A-Za-z0-9_,-]*$/;

/** The text becomes part of an answer, so it must be printable ASCII. */
const printable = (text: string | null, charsMax: number): string | null =>
  text === null ? null : text.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, charsMax);

const toolsOf = ({ hooks }: UrlQuery): readonly string[] | null =>
  hooks === undefined || hooks.length > TOOLS_CHARS_MAX || !TOOLS.test(hooks)
    ? null
    : hooks.split(",").filter((name) => name !== "");

const sameTools = (left: readonly string[] | null, right: readonly string[] | null): boolean =>
  left?.join() === right?.join();

/** Stages 1, 2, 3 and 5: the server has not fetched the delivery. */
import type { Evidence } from "#lib/model/evidence.ts";
import type { ServerFindings } from "#lib/model/sighting.ts";
import { certainly, type DiagnosisFacts, probably, type Verdict, verdictOf } from "./facts.ts";
import {
  AGENT_START_MS_MAX,
  INSTALLATION_MS_MAX,
  JUST_PUBLISHED_MS,
  NOT_POLLING_MS,
  SURELY_NOT_POLLING_MS,
} from "./limits.ts";
import { isSurelyOwn, refusalSince, whyRefused } from "./refusals.ts";
import {
  ago,
  CHECK_ADDRESS,
  CHECK_AGENT,
  CHECK_BOOTSTRAP,
  CHECK_CONSOLE,
  CHECK_METADATA_URL,
  CHECK_NETWORK,
  installAgent,
  REPORT_STATE,
  START_SERVER,
  span,
} from "./wording.ts";

export const notBooted = (
  { server, delivery }: DiagnosisFacts,
  name: string,
  now: number,
): Verdict | null => {
  const { reportedStatus, reportedAt, reportedFault, lastPollAt } = server;
  if (reportedStatus !== "ERROR" && reportedStatus !== "SHUTOFF") return null;
  const heardAt = Math.max(lastPollAt ?? 0, delivery.heardAt ?? 0);
  if (reportedAt === null || heardAt > reportedAt) return null;
  const fault = reportedFault === null ? "" : `: ${reportedFault}`;
  const summary = `server ${name} is not running: reported ${reportedStatus} ${ago(reportedAt, now)}${fault}`;
  return certainly("server_not_booted", summary, [CHECK_CONSOLE, START_SERVER]);
};

export const neverPolled = (
  { server, evidence, serverStackId }: DiagnosisFacts,
  name: string,
  publishedAt: number,
  now: number,
): Verdict => {
  const refusal = refusalSince(evidence, null, 0);
  if (refusal !== null) return pollsRefused(name, refusal, now);
  const bootstrap = bootstrapVerdict(name, server, now);
  if (bootstrap !== null) return bootstrap;
  const install = serverStackId === null ? [] : [installAgent(serverStackId, name)];
  if (now - publishedAt < JUST_PUBLISHED_MS) {
    return justPublished(publishedAt, now, `server ${name} has not polled yet`, install);
  }
  return reportedVerdict(name, server, now) ?? nothingKnown(name, install);
};

const pollsRefused = (name: string, refusal: Evidence, now: number): Verdict => {
  const summary = `server ${name} has never polled successfully: a poll was refused ${ago(refusal.lastSeenAt, now)} ${whyRefused(refusal)}`;
  return verdictOf("metadata_not_reached", isSurelyOwn(refusal), summary, [CHECK_METADATA_URL]);
};

/** A report of the bootstrap script proves that the machine booted and reaches Hearth. */
const bootstrapVerdict = (name: string, server: ServerFindings, now: number): Verdict | null => {
  const { bootBegunAt, bootInstalledAt, bootFailedAt } = server;
  const beganAt = bootBegunAt ?? bootInstalledAt ?? bootFailedAt;
  if (beganAt === null) return null;
  if (bootFailedAt !== null && bootFailedAt >= Math.max(bootBegunAt ?? 0, bootInstalledAt ?? 0)) {
    const summary = `the bootstrap script of server ${name} failed ${ago(bootFailedAt, now)}, so no agent polls`;
    return certainly("metadata_not_reached", summary, [CHECK_BOOTSTRAP, CHECK_METADATA_URL]);
  }
  if (bootInstalledAt !== null && bootInstalledAt >= (bootBegunAt ?? 0)) {
    const installed = `the agent of server ${name} was installed ${ago(bootInstalledAt, now)}`;
    if (now - bootInstalledAt < AGENT_START_MS_MAX) {
      return certainly("waiting", `${installed} and has not polled yet`);
    }
    const isSure = now - bootInstalledAt >= NOT_POLLING_MS;
    const summary = `${installed} but has never polled`;
    return verdictOf("metadata_not_reached", isSure, summary, [CHECK_AGENT]);
  }
  if (now - beganAt < INSTALLATION_MS_MAX) {
    const summary = `server ${name} has booted and has been installing its agent for ${span(now - beganAt)}`;
    return certainly("waiting", summary);
  }
  const summary = `the bootstrap script of server ${name} began ${ago(beganAt, now)} and has not finished; the agent has never polled`;
  return certainly("metadata_not_reached", summary, [CHECK_BOOTSTRAP, CHECK_AGENT]);
};

const reportedVerdict = (name: string, server: ServerFindings, now: number): Verdict | null => {
  const { reportedStatus, reportedAddresses, reportedAt } = server;
  if (reportedAt === null) return null;
  const when = `reported ${ago(reportedAt, now)}`;
  if (reportedStatus === "BUILD") {
    const summary = `server ${name} has never polled: it is still being built (${when})`;
    return probably("server_not_booted", summary, [CHECK_CONSOLE]);
  }
  if (reportedStatus !== "ACTIVE") return null;
  if (reportedAddresses?.length === 0) {
    const summary = `server ${name} runs without an IP address (${when}) and has never polled`;
    return certainly("no_network", summary, [CHECK_ADDRESS]);
  }
  const at = reportedAddresses === null ? "" : ` at ${reportedAddresses.join(", ")}`;
  const summary = `server ${name} runs${at} (${when}) but has never contacted Hearth: its network is probably broken`;
  return probably("no_network", summary, [CHECK_NETWORK, CHECK_CONSOLE, CHECK_METADATA_URL]);
};

const nothingKnown = (name: string, install: readonly string[]): Verdict =>
  probably(
    "server_not_booted",
    `server ${name} has never polled, and nothing else is known of it: it has not booted, has no network or has no agent`,
    [...install, CHECK_CONSOLE, CHECK_NETWORK, CHECK_METADATA_URL, REPORT_STATE],
  );

export const notFetched = (
  { server, evidence }: DiagnosisFacts,
  name: string,
  publishedAt: number,
  now: number,
): Verdict => {
  const lastPollAt = server.lastPollAt ?? 0;
  const silent = `server ${name} last polled ${ago(lastPollAt, now)} and has not fetched this deployment`;
  const refusal = refusalSince(evidence, null, lastPollAt);
  if (refusal !== null && now - lastPollAt >= NOT_POLLING_MS) {
    const summary = `${silent}: a poll was refused ${ago(refusal.lastSeenAt, now)} ${whyRefused(refusal)}`;
    return verdictOf("not_polling", isSurelyOwn(refusal), summary, [CHECK_METADATA_URL]);
  }
  const silentMs = now - lastPollAt;
  if (silentMs < NOT_POLLING_MS || now - publishedAt < JUST_PUBLISHED_MS) {
    return justPublished(publishedAt, now, `server ${name} last polled ${ago(lastPollAt, now)}`);
  }
  const advice = [CHECK_AGENT, CHECK_NETWORK, CHECK_CONSOLE];
  return verdictOf("not_polling", silentMs >= SURELY_NOT_POLLING_MS, silent, advice);
};

const justPublished = (
  publishedAt: number,
  now: number,
  polls: string,
  advice: readonly string[] = [],
): Verdict => certainly("waiting", `published ${ago(publishedAt, now)}; ${polls}`, advice);

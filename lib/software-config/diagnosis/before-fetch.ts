/** Stages 1, 2, 3 and 5: the server has not fetched the delivery. */
import type { Evidence } from "#lib/model/evidence.ts";
import type { ServerFindings } from "#lib/model/sighting.ts";
import type { DiagnosisFacts, Verdict } from "./facts.ts";
import {
  INSTALLATION_MS_MAX,
  JUST_PUBLISHED_MS,
  NOT_POLLING_MS,
  SURELY_NOT_POLLING_MS,
} from "./limits.ts";
import { isSurelyOwn, refusalSince, whyRefused } from "./refusals.ts";
import { ago, span } from "./spans.ts";

const WHERE_THE_URL_IS =
  "compare the URL in the agent's configuration with the server's attribute os_collect_config, or run what `hearth server bootstrap` prints on the server again";
const LOOK_AT_THE_AGENT =
  "on the server, look at the agent's service and its log (hearth-agent, or os-collect-config)";
const LOOK_AT_THE_NETWORK =
  "from the server, fetch the metadata URL with curl: routes, DNS, proxies and what may leave the network are the usual causes";
const LOOK_AT_THE_CONSOLE = "look at the machine's console output";
const REPORT =
  "tell what the provisioner says (`hearth server report`), and stages 1 and 2 can be told apart";

/** Its provisioner says that it does not run. Null: it does not say so, or the server has been heard of since. */
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
  return {
    stage: 1,
    cause: "server_not_booted",
    certain: true,
    summary: `server ${name} does not run: reported ${reportedStatus} ${ago(reportedAt, now)}${fault}`,
    advice: [LOOK_AT_THE_CONSOLE, "start the server, or replace it"],
  };
};

/** The bootstrap script has been heard: the machine has booted and reaches us. */
const notInstalled = (name: string, server: ServerFindings, now: number): Verdict | null => {
  const { bootBegunAt, bootInstalledAt, bootFailedAt } = server;
  const beganAt = bootBegunAt ?? bootInstalledAt ?? bootFailedAt;
  if (beganAt === null) return null;
  const verdict = { stage: 3, cause: "metadata_not_reached" } as const;
  if (bootFailedAt !== null && bootFailedAt >= Math.max(bootBegunAt ?? 0, bootInstalledAt ?? 0)) {
    const summary = `the bootstrap script of server ${name} failed ${ago(bootFailedAt, now)}, so that no agent polls`;
    return { ...verdict, certain: true, summary, advice: [BOOTSTRAP_LOG, WHERE_THE_URL_IS] };
  }
  if (bootInstalledAt !== null && bootInstalledAt >= (bootBegunAt ?? 0)) {
    const isSure = now - bootInstalledAt >= NOT_POLLING_MS;
    const summary = `the agent of server ${name} was installed ${ago(bootInstalledAt, now)} and has never polled`;
    return { ...verdict, certain: isSure, summary, advice: [LOOK_AT_THE_AGENT] };
  }
  if (now - beganAt < INSTALLATION_MS_MAX) {
    const summary = `server ${name} has booted, and has been installing its agent for ${span(now - beganAt)}`;
    return { stage: null, cause: "waiting", certain: true, summary, advice: [] };
  }
  const summary = `the bootstrap script of server ${name} began ${ago(beganAt, now)} and has not come to its end; the agent has never polled`;
  return { ...verdict, certain: true, summary, advice: [BOOTSTRAP_LOG, LOOK_AT_THE_AGENT] };
};

const BOOTSTRAP_LOG =
  "on the server, look at what the script printed (with cloud-init: /var/log/cloud-init-output.log)";

const polledInVain = (name: string, refusal: Evidence, now: number): Verdict => ({
  stage: 3,
  cause: "metadata_not_reached",
  certain: isSurelyOwn(refusal),
  summary: `server ${name} has never polled with success: a poll was refused ${ago(refusal.lastSeenAt, now)} ${whyRefused(refusal)}`,
  advice: [WHERE_THE_URL_IS],
});

const asReported = (name: string, server: ServerFindings, now: number): Verdict | null => {
  const { reportedStatus, reportedAddresses, reportedAt } = server;
  if (reportedAt === null) return null;
  const when = ago(reportedAt, now);
  if (reportedStatus === "BUILD") {
    const summary = `server ${name} has never polled: reported as still being built ${when}`;
    const advice = [LOOK_AT_THE_CONSOLE];
    return { stage: 1, cause: "server_not_booted", certain: false, summary, advice };
  }
  if (reportedStatus !== "ACTIVE") return null;
  const network = { stage: 2, cause: "no_network" } as const;
  if (reportedAddresses?.length === 0) {
    const summary = `server ${name} runs without an address, as reported ${when}, and has never polled`;
    const advice = ["look at its port, its subnet and whether DHCP answers"];
    return { ...network, certain: true, summary, advice };
  }
  const at = reportedAddresses === null ? "" : ` at ${reportedAddresses.join(", ")}`;
  const summary = `server ${name} runs${at}, as reported ${when}, but nothing has ever been heard of it: most likely its network`;
  const advice = [LOOK_AT_THE_NETWORK, LOOK_AT_THE_CONSOLE, WHERE_THE_URL_IS];
  return { ...network, certain: false, summary, advice };
};

const justPublished = (publishedAt: number, now: number, rest: string): Verdict => ({
  stage: null,
  cause: "waiting",
  certain: true,
  summary: `published ${ago(publishedAt, now)}; ${rest}`,
  advice: [],
});

/** The server has never polled with success. */
export const neverPolled = (
  { server, evidence }: DiagnosisFacts,
  name: string,
  publishedAt: number,
  now: number,
): Verdict => {
  const refusal = refusalSince(evidence, null, 0);
  if (refusal !== null) return polledInVain(name, refusal, now);
  const known = notInstalled(name, server, now);
  if (known !== null) return known;
  if (now - publishedAt < JUST_PUBLISHED_MS) {
    return justPublished(publishedAt, now, `server ${name} has not polled yet`);
  }
  const reported = asReported(name, server, now);
  if (reported !== null) return reported;
  const summary = `server ${name} has never polled, and nothing else has been heard of it: it has not booted, has no network, or has no agent`;
  const advice = [LOOK_AT_THE_CONSOLE, LOOK_AT_THE_NETWORK, WHERE_THE_URL_IS, REPORT];
  return { stage: 1, cause: "server_not_booted", certain: false, summary, advice };
};

/** The server has polled before, but not since the delivery was published: whoever polls fetches it. */
export const notFetched = (
  { server, evidence }: DiagnosisFacts,
  name: string,
  publishedAt: number,
  now: number,
): Verdict => {
  const lastPollAt = server.lastPollAt ?? 0;
  const told = `server ${name} last polled ${ago(lastPollAt, now)} and has never fetched this`;
  const stuck = { stage: 5, cause: "not_polling" } as const;
  const refusal = refusalSince(evidence, null, lastPollAt);
  if (refusal !== null && now - lastPollAt >= NOT_POLLING_MS) {
    const summary = `${told}: a poll was refused ${ago(refusal.lastSeenAt, now)} ${whyRefused(refusal)}`;
    return { ...stuck, certain: isSurelyOwn(refusal), summary, advice: [WHERE_THE_URL_IS] };
  }
  const silentMs = now - lastPollAt;
  if (silentMs < NOT_POLLING_MS || now - publishedAt < JUST_PUBLISHED_MS) {
    return justPublished(publishedAt, now, `server ${name} last polled ${ago(lastPollAt, now)}`);
  }
  const advice = [LOOK_AT_THE_AGENT, LOOK_AT_THE_NETWORK, LOOK_AT_THE_CONSOLE];
  return { ...stuck, certain: silentMs >= SURELY_NOT_POLLING_MS, summary: told, advice };
};

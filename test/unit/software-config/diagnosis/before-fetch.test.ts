/** Stages 1, 2, 3 and 5: the verdict about a server that has not fetched its deployment. */
import { describe, expect, it } from "vitest";
import {
  type Case,
  checkVerdicts,
  type Known,
  minutesAgo,
  polling,
  published,
  refused,
  verdictOf,
} from "./known-facts.ts";

const reportedAt = minutesAgo(5);
const ACTIVE = { reportedStatus: "ACTIVE", reportedAt } as const;
const NEVER_POLLED: readonly Case[] = [
  [
    "nothing is known of the server",
    {},
    1,
    "server_not_booted",
    "likely",
    /^server web has never polled, and nothing else is known of it/,
  ],
  [
    "the provisioner reports ERROR",
    { server: { reportedStatus: "ERROR", reportedFault: "No valid host", reportedAt } },
    1,
    "server_not_booted",
    "certain",
    /^server web is not running: reported ERROR 5 min ago: No valid host$/,
  ],
  [
    "the provisioner reports BUILD",
    { server: { reportedStatus: "BUILD", reportedAt } },
    1,
    "server_not_booted",
    "likely",
    /is still being built \(reported 5 min ago\)$/,
  ],
  [
    "it runs without an address",
    { server: { ...ACTIVE, reportedAddresses: [] } },
    2,
    "no_network",
    "certain",
    /^server web runs without an IP address \(reported 5 min ago\)/,
  ],
  [
    "it runs, and the report names no addresses",
    { server: ACTIVE },
    2,
    "no_network",
    "likely",
    /^server web runs \(reported 5 min ago\) but/,
  ],
  [
    "it runs with an address and has never contacted Hearth",
    { server: { ...ACTIVE, reportedAddresses: ["10.0.0.4"] } },
    2,
    "no_network",
    "likely",
    /^server web runs at 10\.0\.0\.4 .*has never contacted Hearth/,
  ],
  [
    "the bootstrap script has failed",
    { server: { ...ACTIVE, bootBegunAt: minutesAgo(9), bootFailedAt: minutesAgo(8) } },
    3,
    "metadata_not_reached",
    "certain",
    /bootstrap script of server web failed 8 min ago/,
  ],
  [
    "the bootstrap script has not finished",
    { server: { bootBegunAt: minutesAgo(40) } },
    3,
    "metadata_not_reached",
    "certain",
    /began 40 min ago and has not finished/,
  ],
  [
    "the agent was installed a moment ago",
    { server: { bootBegunAt: minutesAgo(40), bootInstalledAt: minutesAgo(0.4) } },
    null,
    "waiting",
    "certain",
    /installed 24 s ago and has not polled yet/,
  ],
  [
    "the agent was installed and never polls",
    { server: { bootBegunAt: minutesAgo(40), bootInstalledAt: minutesAgo(38) } },
    3,
    "metadata_not_reached",
    "certain",
    /installed 38 min ago but has never polled/,
  ],
  [
    "its polls were refused because the URL was revoked",
    { evidence: [refused("revoked", 3, null)] },
    3,
    "metadata_not_reached",
    "certain",
    /a poll was refused 3 min ago because its URL has been revoked/,
  ],
  [
    "polls were refused, but anyone may have sent them",
    { evidence: [refused("bad_signature", 3, null)] },
    3,
    "metadata_not_reached",
    "likely",
    /the signature of its URL is not valid$/,
  ],
];

const POLLED_BEFORE: readonly Case[] = [
  [
    "the server has stopped polling",
    { server: polling(41) },
    5,
    "not_polling",
    "certain",
    /^server web last polled 41 min ago and has not fetched this deployment$/,
  ],
  [
    "the server has not polled for some minutes",
    { server: polling(6) },
    5,
    "not_polling",
    "likely",
    /last polled 6 min ago/,
  ],
  [
    "its polls have been refused since",
    { server: polling(41), evidence: [refused("revoked", 1, null)] },
    5,
    "not_polling",
    "certain",
    /has not fetched this deployment: a poll was refused 60 s ago because its URL has been revoked$/,
  ],
  [
    "the provisioner has reported SHUTOFF since",
    { server: { ...polling(41), reportedStatus: "SHUTOFF", reportedAt } },
    1,
    "server_not_booted",
    "certain",
    /is not running: reported SHUTOFF/,
  ],
];

describe("the verdict on a deployment whose server has never polled, if", () =>
  checkVerdicts(NEVER_POLLED));
describe("the verdict on a deployment whose server polled only before it was published, if", () =>
  checkVerdicts(POLLED_BEFORE));

describe("the command that prints the bootstrap script", () => {
  const advised = (known: Known): boolean =>
    verdictOf(known).advice.some((text) => text.includes("`hearth server bootstrap stack-1 web`"));

  it("has the name of the server as a shell takes it", () => {
    const { advice } = verdictOf({ serverName: "it's $(web)" });
    expect(advice[0]).toContain("`hearth server bootstrap stack-1 'it'\\''s $(web)'`");
  });

  it.each<[string, boolean, Known]>([
    ["just published, and the server has never polled", true, { deployment: published(0.5) }],
    ["nothing is known of the server", true, {}],
    ["the server polls", false, { deployment: published(0.5), server: polling(0.4) }],
    ["its script is installing the agent", false, { server: { bootBegunAt: minutesAgo(4) } }],
  ])("%s: %s", (_, isAdvised, known) => {
    expect(advised(known)).toBe(isAdvised);
  });
});

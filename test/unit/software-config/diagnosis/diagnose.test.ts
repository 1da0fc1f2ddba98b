/** Which verdict the rules come to: each stage of the blueprint, and what is no trouble at all. */
import { describe, expect, it } from "vitest";
import type { Verdict } from "#lib/software-config/diagnosis/facts.ts";
import {
  diagnosisOf,
  type Known,
  minutesAgo,
  neighbour,
  polling,
  published,
  refused,
  verdictOf,
} from "./known-facts.ts";

type Case = readonly [
  title: string,
  known: Known,
  stage: Verdict["stage"],
  cause: Verdict["cause"],
  certainty: "certain" | "likely",
  summary: RegExp,
];

const reportedAt = minutesAgo(5);
const ACTIVE = { reportedStatus: "ACTIVE", reportedAt } as const;
const UNKNOWN_TOOL = [{ rule: "unknown_tool", message: "no hook is called python" }];

const NEVER_POLLED: readonly Case[] = [
  [
    "nothing has been heard of the server at all",
    {},
    1,
    "server_not_booted",
    "likely",
    /^server web has never polled, and nothing else has been heard of it/,
  ],
  [
    "the provisioner says ERROR",
    { server: { reportedStatus: "ERROR", reportedFault: "No valid host", reportedAt } },
    1,
    "server_not_booted",
    "certain",
    /^server web does not run: reported ERROR 5 min ago: No valid host$/,
  ],
  [
    "the provisioner still builds it",
    { server: { reportedStatus: "BUILD", reportedAt } },
    1,
    "server_not_booted",
    "likely",
    /still being built/,
  ],
  [
    "it runs and has no address",
    { server: { ...ACTIVE, reportedAddresses: [] } },
    2,
    "no_network",
    "certain",
    /^server web runs without an address, as reported 5 min ago/,
  ],
  [
    "it runs, and the report says nothing of addresses",
    { server: ACTIVE },
    2,
    "no_network",
    "likely",
    /^server web runs, as reported/,
  ],
  [
    "it runs with an address, and there is no sign of it",
    { server: { ...ACTIVE, reportedAddresses: ["10.0.0.4"] } },
    2,
    "no_network",
    "likely",
    /^server web runs at 10\.0\.0\.4.*nothing has ever been heard of it/,
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
    "the bootstrap script has not come to its end",
    { server: { bootBegunAt: minutesAgo(40) } },
    3,
    "metadata_not_reached",
    "certain",
    /began 40 min ago and has not come to its end/,
  ],
  [
    "the agent was installed and does not poll",
    { server: { bootBegunAt: minutesAgo(40), bootInstalledAt: minutesAgo(38) } },
    3,
    "metadata_not_reached",
    "certain",
    /installed 38 min ago and has never polled/,
  ],
  [
    "all its polls were refused, by a URL that was revoked",
    { evidence: [refused("revoked", 3, null)] },
    3,
    "metadata_not_reached",
    "certain",
    /a poll was refused 3 min ago because its URL has been revoked/,
  ],
  [
    "polls were refused that anybody may have sent",
    { evidence: [refused("bad_signature", 3, null)] },
    3,
    "metadata_not_reached",
    "likely",
    /signature that is not valid/,
  ],
];

const POLLED_BEFORE: readonly Case[] = [
  [
    "the server has stopped polling",
    { server: polling(41) },
    5,
    "not_polling",
    "certain",
    /^server web last polled 41 min ago and has never fetched this$/,
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
    "its polls are refused since",
    { server: polling(41), evidence: [refused("revoked", 1, null)] },
    5,
    "not_polling",
    "certain",
    /has never fetched this: a poll was refused 60 s ago because its URL has been revoked/,
  ],
  [
    "its provisioner says that it was shut off since",
    { server: { ...polling(41), reportedStatus: "SHUTOFF", reportedAt } },
    1,
    "server_not_booted",
    "certain",
    /does not run: reported SHUTOFF/,
  ],
];

const FETCHED: readonly Case[] = [
  [
    "the agent polls on and does not apply, though it has applied before",
    {
      server: { ...polling(1), appliedVersion: "ba9876543210" },
      delivery: { fetchedAt: minutesAgo(20) },
    },
    4,
    "agent_misconfigured",
    "certain",
    /fetched it 20 min ago and polls on, last 60 s ago, but has not applied it$/,
  ],
  [
    "the agent polls on and has never applied anything",
    { server: polling(1), delivery: { fetchedAt: minutesAgo(20) } },
    4,
    "agent_misconfigured",
    "likely",
    /has not applied it, or cannot tell so/,
  ],
  [
    "the agent says that it has no such hook",
    {
      tool: "ansible",
      server: { ...polling(19), tools: ["script"] },
      delivery: { fetchedAt: minutesAgo(20) },
    },
    4,
    "agent_misconfigured",
    "certain",
    /says that it has no hook for ansible/,
  ],
  [
    "it is applied, and no hook is known for its group",
    {
      tool: "python",
      warnings: UNKNOWN_TOOL,
      server: polling(1),
      delivery: { fetchedAt: minutesAgo(20), appliedAt: minutesAgo(20) },
    },
    4,
    "agent_misconfigured",
    "likely",
    /most likely it has no hook for python/,
  ],
  [
    "it is applied, and the server has signalled for other tools only",
    {
      hasServerSignalled: true,
      tool: "ansible",
      server: polling(1),
      delivery: { fetchedAt: minutesAgo(20), appliedAt: minutesAgo(20) },
    },
    4,
    "agent_misconfigured",
    "likely",
    /never for ansible/,
  ],
  [
    "it is applied, and the tool has signalled before",
    {
      hasServerSignalled: true,
      hasToolSignalled: true,
      server: polling(1),
      delivery: { fetchedAt: minutesAgo(20), appliedAt: minutesAgo(20) },
    },
    6,
    "cannot_signal",
    "likely",
    /the signal is lost/,
  ],
  [
    "it is applied, and the server has never signalled",
    {
      server: polling(1),
      delivery: { fetchedAt: minutesAgo(20), appliedAt: minutesAgo(20) },
    },
    6,
    "cannot_signal",
    "likely",
    /no signal of this server has ever arrived/,
  ],
  [
    "its signal was refused",
    {
      server: polling(1),
      delivery: { fetchedAt: minutesAgo(20) },
      evidence: [refused("too_large", 4, "dep")],
    },
    6,
    "cannot_signal",
    "certain",
    /a signal of server web was refused 4 min ago because it is larger than a signal may be/,
  ],
  [
    "a signal was refused that an earlier run may have sent",
    {
      server: polling(1),
      hasOpenPredecessor: true,
      delivery: { fetchedAt: minutesAgo(20) },
      evidence: [refused("bad_signature", 4, "dep")],
    },
    6,
    "cannot_signal",
    "likely",
    /was refused 4 min ago/,
  ],
  [
    "the agent says that it cannot deliver the result",
    {
      server: { ...polling(1), unsentConfigId: "derived" },
      delivery: { fetchedAt: minutesAgo(20) },
    },
    6,
    "cannot_signal",
    "certain",
    /its agent cannot deliver the result/,
  ],
  [
    "it was begun, and the server polls again",
    {
      server: polling(1),
      delivery: { fetchedAt: minutesAgo(20), startedAt: minutesAgo(20), heardAt: minutesAgo(20) },
    },
    6,
    "cannot_signal",
    "likely",
    /the run is over or was cut off, and its result has not arrived/,
  ],
  [
    "its words of progress have stopped",
    {
      server: polling(20),
      delivery: {
        ...{ fetchedAt: minutesAgo(20), startedAt: minutesAgo(20), heardAt: minutesAgo(9) },
        heartbeats: 11,
      },
    },
    6,
    "cannot_signal",
    "likely",
    /was last heard of 9 min ago/,
  ],
  [
    "it has been silent for much longer than it took before",
    {
      server: polling(20),
      delivery: { fetchedAt: minutesAgo(20) },
      earlierRunsMs: [60_000, 180_000],
    },
    5,
    "not_polling",
    "likely",
    /silent since.*earlier runs took up to 3 min/,
  ],
];

const NO_TROUBLE: readonly Case[] = [
  [
    "it was published a moment ago",
    { deployment: published(0.5), server: polling(0.4) },
    null,
    "waiting",
    "certain",
    /^published 30 s ago; server web last polled 24 s ago$/,
  ],
  [
    "it was published a moment ago, to a server that has never polled",
    { deployment: published(0.5) },
    null,
    "waiting",
    "certain",
    /has not polled yet/,
  ],
  [
    "the machine installs its agent",
    { server: { bootBegunAt: minutesAgo(4) } },
    null,
    "waiting",
    "certain",
    /installing its agent for 4 min/,
  ],
  [
    "it tells of its progress",
    {
      server: polling(20),
      delivery: {
        ...{ fetchedAt: minutesAgo(20), startedAt: minutesAgo(20), heardAt: minutesAgo(0.5) },
        ...{ heartbeats: 20, progressReason: "copying" },
      },
      earlierRunsMs: [300_000],
    },
    null,
    "running",
    "certain",
    /running for 20 min on server web, last heard of 30 s ago \("copying"\); earlier runs took up to 5 min/,
  ],
  [
    "it has told its beginning and nothing more",
    {
      server: polling(20),
      delivery: {
        ...{ fetchedAt: minutesAgo(20), startedAt: minutesAgo(20), heardAt: minutesAgo(20) },
        heartbeats: 1,
      },
    },
    null,
    "running",
    "likely",
    /has told nothing but its beginning/,
  ],
  [
    "a signal was refused before, and others have got through since",
    {
      server: polling(20),
      delivery: {
        ...{ fetchedAt: minutesAgo(20), startedAt: minutesAgo(20), heardAt: minutesAgo(1) },
        heartbeats: 20,
      },
      evidence: [refused("bad_signature", 10, "dep")],
    },
    null,
    "running",
    "certain",
    /last heard of/,
  ],
  [
    "the agent has fetched it and been silent since",
    { server: polling(9), delivery: { fetchedAt: minutesAgo(9) } },
    null,
    "running",
    "likely",
    /fetched it 9 min ago and has been silent since: it runs there, or/,
  ],
  [
    "it is applied a moment ago",
    { server: polling(0.5), delivery: { fetchedAt: minutesAgo(2), appliedAt: minutesAgo(0.5) } },
    null,
    "running",
    "likely",
    /its signal is due/,
  ],
  [
    "nobody waits for it",
    {
      awaitsSignal: false,
      deployment: { ...published(60), status: "COMPLETE" },
      delivery: { fetchedAt: minutesAgo(20) },
    },
    null,
    "not_awaited",
    "certain",
    /no result is awaited \(NO_SIGNAL\); server web fetched it 20 min ago/,
  ],
  [
    "it has ended",
    {
      deployment: { ...published(60), status: "FAILED", statusReason: "exit 3" },
      delivery: { fetchedAt: minutesAgo(9), endedAt: minutesAgo(8) },
    },
    null,
    "finished",
    "certain",
    /^CREATE ended FAILED 8 min ago: exit 3$/,
  ],
  [
    "its server is none of Hearth's",
    { serverName: null },
    null,
    "unknown_server",
    "certain",
    /none of Hearth's/,
  ],
];

const check = (cases: readonly Case[]): void => {
  it.each(cases)("%s", (_, known, stage, cause, certainty, summary) => {
    const verdict = verdictOf(known);
    expect(verdict.summary).toMatch(summary);
    expect(verdict).toMatchObject({ stage, cause, certain: certainty === "certain" });
    expect(verdict.summary).not.toContain("\n");
  });
};

describe("a deployment whose server has never polled", () => check(NEVER_POLLED));
describe("a deployment whose server polled before it was published", () => check(POLLED_BEFORE));
describe("a deployment that its server has fetched", () => check(FETCHED));
describe("a deployment without trouble", () => check(NO_TROUBLE));

describe("a deployment behind another one of its server", () => {
  const since = minutesAgo(20);
  const running = neighbour({ fetchedAt: since, startedAt: since, heardAt: minutesAgo(1) });

  it("waits for the one that tells of its progress, though the server does not poll", () => {
    const { verdict, waitingBehind } = diagnosisOf({ server: polling(20), neighbours: [running] });
    expect(verdict).toMatchObject({ stage: null, cause: "waiting_behind", certain: true });
    expect(verdict.summary).toBe(
      "server web has been running install for 20 min, and runs one at a time",
    );
    expect(waitingBehind).toEqual({ deploymentId: "other", resourceName: "install", since });
  });

  it("most likely waits for one that was fetched and not answered for", () => {
    const silent = neighbour({ fetchedAt: since }, { isBefore: false });
    const known = { server: polling(20), neighbours: [silent] };
    expect(verdictOf(known)).toMatchObject({ cause: "waiting_behind", certain: false });
    const together = { ...known, delivery: { fetchedAt: since } };
    expect(verdictOf(together)).toMatchObject({ cause: "running" });
    const before = { ...together, neighbours: [neighbour({ fetchedAt: since })] };
    expect(verdictOf(before)).toMatchObject({ cause: "waiting_behind", certain: false });
  });

  it("does not wait for one that the server no longer runs, for it polls", () => {
    const known = { server: polling(0), delivery: { fetchedAt: minutesAgo(5) } };
    const over = neighbour({ fetchedAt: since, startedAt: since, heardAt: minutesAgo(10) });
    const { verdict, waitingBehind } = diagnosisOf({ ...known, neighbours: [over] });
    expect([verdict.cause, waitingBehind]).toEqual(["agent_misconfigured", null]);
  });

  it("does not wait once it has begun itself", () => {
    const delivery = { fetchedAt: since, startedAt: since, heardAt: minutesAgo(1) };
    expect(verdictOf({ server: polling(20), neighbours: [running], delivery })).toMatchObject({
      cause: "running",
    });
  });
});

describe("the states of a deployment", () => {
  const states = (known: Known) => {
    const { state, history } = diagnosisOf(known);
    return [state, history.map((entry) => entry.state)];
  };
  const deployment = { ...published(60), status: "COMPLETE" as const, updatedAt: minutesAgo(7) };

  it("follow what is known of its delivery, in the order in which it happened", () => {
    expect(states({})).toEqual(["PUBLISHED", ["PUBLISHED"]]);
    const fetched = { fetchedAt: minutesAgo(9) };
    expect(states({ delivery: fetched })).toEqual(["FETCHED", ["PUBLISHED", "FETCHED"]]);
    const applied = { ...fetched, appliedAt: minutesAgo(8) };
    const three = ["PUBLISHED", "FETCHED", "APPLIED"];
    expect(states({ delivery: applied })).toEqual(["APPLIED", three]);
    const started = { ...fetched, startedAt: minutesAgo(8.5), publishedAt: minutesAgo(60) };
    expect(states({ delivery: started })).toEqual(["RUNNING", ["PUBLISHED", "FETCHED", "RUNNING"]]);
    const ended = { ...started, appliedAt: minutesAgo(6), endedAt: minutesAgo(7) };
    expect(states({ deployment, delivery: ended })).toEqual([
      "COMPLETE",
      ["PUBLISHED", "FETCHED", "RUNNING", "COMPLETE", "APPLIED"],
    ]);
  });

  it("leave out what is not known any more", () => {
    expect(states({ deployment })).toEqual(["COMPLETE", ["COMPLETE"]]);
  });
});

describe("the advice", () => {
  it("ends with what the lint found, as long as it can still explain something", () => {
    const known = { warnings: UNKNOWN_TOOL, server: polling(41) };
    expect(verdictOf(known).advice.at(-1)).toBe("no hook is called python");
    const deployment = { ...published(60), status: "COMPLETE" as const };
    expect(verdictOf({ ...known, deployment }).advice).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import {
  type Case,
  checkVerdicts,
  diagnosisOf,
  type Known,
  minutesAgo,
  neighbour,
  polling,
  published,
  refused,
  running,
  UNKNOWN_TOOL,
  verdictOf,
} from "./known-facts.ts";

const NORMAL: readonly Case[] = [
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
    "the machine is installing its agent",
    { server: { bootBegunAt: minutesAgo(4) } },
    null,
    "waiting",
    "certain",
    /installing its agent for 4 min/,
  ],
  [
    "it signals progress",
    {
      server: polling(20),
      delivery: running(20, 0.5, { heartbeats: 20, progressReason: "copying" }),
      earlierRunsMs: [300_000],
    },
    null,
    "running",
    "certain",
    /running on server web for 20 min, last progress 30 s ago \("copying"\); earlier runs took up to 5 min$/,
  ],
  [
    "it reports progress without new output, soon after the last line",
    {
      server: polling(20),
      delivery: running(20, 0.5, { heartbeats: 20, outputTailAt: minutesAgo(3.9) }),
      output: { deploy_stdout: "table users\n", deploy_stderr: "" },
    },
    null,
    "running",
    "certain",
    /last progress 30 s ago$/,
  ],
  [
    "it reports progress without new output for long",
    {
      server: polling(20),
      delivery: running(20, 0.5, { heartbeats: 20, outputTailAt: minutesAgo(7) }),
      output: { deploy_stdout: "one\ntable\u001b users\n\n", deploy_stderr: "oops" },
    },
    null,
    "running",
    "likely",
    /running on server web for 20 min, no output for 7 min, last line "table {2}users"$/,
  ],
  [
    "it reports progress and has never had output",
    {
      server: { ...polling(20), tools: ["script"] },
      delivery: running(20, 0.5, { heartbeats: 20 }),
    },
    null,
    "running",
    "likely",
    /for 20 min, no output for 20 min$/,
  ],
  [
    "it reports progress by an agent that never reports output",
    { server: polling(20), delivery: running(20, 0.5, { heartbeats: 20 }) },
    null,
    "running",
    "certain",
    /last progress 30 s ago$/,
  ],
  [
    "it has signalled only its start",
    {
      server: polling(20),
      delivery: running(20, 20, { heartbeats: 1 }),
    },
    null,
    "running",
    "likely",
    /has reported nothing but its start/,
  ],
  [
    "a signal was refused, but later ones were accepted",
    {
      server: polling(20),
      delivery: running(20, 1, { heartbeats: 20 }),
      evidence: [refused("bad_signature", 10, "dep")],
    },
    null,
    "running",
    "certain",
    /last progress/,
  ],
  [
    "the agent has fetched it and has been silent since",
    { server: polling(9), delivery: { fetchedAt: minutesAgo(9) } },
    null,
    "running",
    "likely",
    /fetched it 9 min ago and has been silent since: it is still running, or/,
  ],
  [
    "it was applied a moment ago",
    { server: polling(0.5), delivery: { fetchedAt: minutesAgo(2), appliedAt: minutesAgo(0.5) } },
    null,
    "running",
    "likely",
    /its signal should arrive soon$/,
  ],
  [
    "its owner has stopped it and the agent has not asked since",
    { delivery: running(9, 0.5, { stopAskedAt: minutesAgo(0.25) }) },
    null,
    "running",
    "certain",
    /last progress 30 s ago; its end was asked for 15 s ago$/,
  ],
  [
    "its owner has stopped it before it began",
    { delivery: { fetchedAt: minutesAgo(1), stopAskedAt: minutesAgo(0.5) } },
    null,
    "running",
    "likely",
    /about to start; its end was asked for 30 s ago$/,
  ],
  [
    "no result is expected",
    {
      awaitsSignal: false,
      deployment: { ...published(60), status: "COMPLETE" },
      delivery: { fetchedAt: minutesAgo(20) },
    },
    null,
    "not_awaited",
    "certain",
    /^no result is expected \(NO_SIGNAL\); server web fetched it 20 min ago$/,
  ],
  [
    "it is applied, and no stack waits for it",
    {
      isStandalone: true,
      server: polling(1),
      delivery: { fetchedAt: minutesAgo(20), appliedAt: minutesAgo(19) },
    },
    null,
    "not_awaited",
    "certain",
    /applied it 19 min ago; no stack waits for it/,
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
    "it has failed and printed errors",
    {
      deployment: { ...published(60), status: "FAILED", statusReason: "exit 3" },
      delivery: { fetchedAt: minutesAgo(9), endedAt: minutesAgo(8) },
      output: { deploy_stdout: "hello", deploy_stderr: "a\nb\nno lock\n\nsecond process?\n" },
    },
    null,
    "finished",
    "certain",
    /^CREATE ended FAILED 8 min ago: exit 3; the end of stderr: "b", "no lock", "second process\?"$/,
  ],
  [
    "Hearth does not manage its server",
    { serverName: null, serverStackId: null },
    null,
    "unknown_server",
    "certain",
    /^Hearth does not manage its server/,
  ],
  [
    "its server is deleted",
    { serverName: null, serverStackId: null, isServerDeleted: true },
    null,
    "unknown_server",
    "certain",
    /^its server \(srv-1\) is deleted, so no agent will run it; last changed/,
  ],
];

describe("the verdict on a deployment that is not stuck, if", () => checkVerdicts(NORMAL));

describe("a deployment behind another on the same server", () => {
  const since = minutesAgo(20);
  const busy = neighbour(running(20, 1));

  it("waits for the one that signals progress while the server does not poll", () => {
    const { verdict, waitingBehind } = diagnosisOf({ server: polling(20), neighbours: [busy] });
    expect(verdict).toMatchObject({ stage: null, cause: "waiting_behind", certain: true });
    expect(verdict.summary).toBe(
      "server web has been running install for 20 min; agents run one deployment at a time",
    );
    expect(waitingBehind).toEqual({ deploymentId: "other", resourceName: "install", since });
  });

  it("probably waits for one that was fetched and has not signalled", () => {
    const silent = neighbour({ fetchedAt: since }, { isBefore: false });
    const known = { server: polling(20), neighbours: [silent] };
    expect(verdictOf(known)).toMatchObject({ cause: "waiting_behind", certain: false });
    const together = { ...known, delivery: { fetchedAt: since } };
    expect(verdictOf(together)).toMatchObject({ cause: "running" });
    const before = { ...together, neighbours: [neighbour({ fetchedAt: since })] };
    expect(verdictOf(before)).toMatchObject({ cause: "waiting_behind", certain: false });
  });

  it("does not wait for one that cannot be running, because the server polls", () => {
    const known = { server: polling(0), delivery: { fetchedAt: minutesAgo(5) } };
    const over = neighbour(running(20, 10));
    const { verdict, waitingBehind } = diagnosisOf({ ...known, neighbours: [over] });
    expect([verdict.cause, waitingBehind]).toEqual(["agent_misconfigured", null]);
  });

  it("does not wait once it has started itself", () => {
    const delivery = running(20, 1);
    expect(verdictOf({ server: polling(20), neighbours: [busy], delivery })).toMatchObject({
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

  it("are those known of its delivery, in order of time", () => {
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

  it("leave out what is no longer known", () => {
    expect(states({ deployment })).toEqual(["COMPLETE", ["COMPLETE"]]);
  });
});

describe("the advice", () => {
  const advised = (deploy_stdout: string, deploy_stderr: string) =>
    verdictOf({
      deployment: { ...published(60), status: "FAILED" },
      output: { deploy_stdout, deploy_stderr },
    }).advice;

  it("after a failure names the command that shows what it has printed", () => {
    expect(advised("hello", "oops")).toEqual([
      "what it has printed: `hearth deployment logs dep --stderr`",
    ]);
    expect(advised("hello", "\n")).toEqual(["what it has printed: `hearth deployment logs dep`"]);
    expect(advised("", "")).toEqual([]);
  });

  it("does not tell why a signature is wrong, which no request can show", () => {
    const { advice } = verdictOf({
      server: polling(1),
      delivery: { fetchedAt: minutesAgo(20) },
      evidence: [refused("bad_signature", 4, "dep")],
    });
    expect(advice.at(-1)).toMatch(/^compare the URL that arrives with the one in the document/);
  });

  it("ends with the lint's warnings until the deployment is over", () => {
    const known = { warnings: UNKNOWN_TOOL, server: polling(41) };
    expect(verdictOf(known).advice.at(-1)).toBe("no hook is called python");
    const deployment = { ...published(60), status: "COMPLETE" as const };
    expect(verdictOf({ ...known, deployment }).advice).toEqual([]);
  });
});

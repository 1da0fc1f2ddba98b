/** What is no trouble, which states there are, and how deployments of one server wait for each other. */
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
  UNKNOWN_TOOL,
  verdictOf,
} from "./known-facts.ts";

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
    /running on server web for 20 min, last progress 30 s ago \("copying"\); earlier runs took up to 5 min$/,
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
    /has reported nothing but its start/,
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
    /last progress/,
  ],
  [
    "the agent has fetched it and been silent since",
    { server: polling(9), delivery: { fetchedAt: minutesAgo(9) } },
    null,
    "running",
    "likely",
    /fetched it 9 min ago and has been silent since: it is still running, or/,
  ],
  [
    "it is applied a moment ago",
    { server: polling(0.5), delivery: { fetchedAt: minutesAgo(2), appliedAt: minutesAgo(0.5) } },
    null,
    "running",
    "likely",
    /its signal should arrive soon$/,
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
    "its server is none of Hearth's",
    { serverName: null },
    null,
    "unknown_server",
    "certain",
    /^Hearth does not manage its server/,
  ],
];

describe("a deployment without trouble", () => checkVerdicts(NO_TROUBLE));

describe("a deployment behind another one of its server", () => {
  const since = minutesAgo(20);
  const running = neighbour({ fetchedAt: since, startedAt: since, heardAt: minutesAgo(1) });

  it("waits for the one that tells of its progress, though the server does not poll", () => {
    const { verdict, waitingBehind } = diagnosisOf({ server: polling(20), neighbours: [running] });
    expect(verdict).toMatchObject({ stage: null, cause: "waiting_behind", certain: true });
    expect(verdict.summary).toBe(
      "server web has been running install for 20 min; agents run one deployment at a time",
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

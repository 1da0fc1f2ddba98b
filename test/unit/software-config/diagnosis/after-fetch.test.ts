/** Stages 4, 5 and 6: what is said of a server that has its deployment. */
import { describe } from "vitest";
import {
  type Case,
  checkVerdicts,
  minutesAgo,
  polling,
  refused,
  UNKNOWN_TOOL,
} from "./known-facts.ts";

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
    /fetched it 20 min ago and still polls \(last 60 s ago\), but has not applied it$/,
  ],
  [
    "the agent polls on and has never applied anything",
    { server: polling(1), delivery: { fetchedAt: minutesAgo(20) } },
    4,
    "agent_misconfigured",
    "likely",
    /has not applied it, or cannot report that$/,
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
    /reports that it has no hook for ansible$/,
  ],
  [
    "the agent has the hook under the name that is left of the tool's",
    {
      tool: "my.tool",
      server: { ...polling(19), tools: ["script", "mytool"] },
      delivery: { fetchedAt: minutesAgo(20) },
    },
    4,
    "agent_misconfigured",
    "likely",
    /still polls/,
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
    /it probably has no hook for python$/,
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
    /the signal is lost, or its configuration run fails before the hook$/,
  ],
  [
    "it is applied by Hearth's agent, which is through with it then, and the tool has signalled before",
    {
      hasServerSignalled: true,
      hasToolSignalled: true,
      server: { ...polling(1), tools: ["script"] },
      delivery: { fetchedAt: minutesAgo(20), appliedAt: minutesAgo(20) },
    },
    6,
    "cannot_signal",
    "likely",
    /the signal is lost$/,
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
    /no signal from this server has ever arrived/,
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
    /^a signal from server web was refused 4 min ago because it is too large$/,
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
    "the agent says so, and it is known why",
    {
      server: { ...polling(1), unsentConfigId: "derived" },
      delivery: { fetchedAt: minutesAgo(20) },
      evidence: [refused("not_signed", 4, "dep")],
    },
    6,
    "cannot_signal",
    "certain",
    /was refused 4 min ago because its signature is incomplete/,
  ],
  [
    "the agent says so, and somebody has sent what was refused",
    {
      server: { ...polling(1), unsentConfigId: "derived" },
      hasOpenPredecessor: true,
      delivery: { fetchedAt: minutesAgo(20) },
      evidence: [refused("bad_signature", 4, "dep")],
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
    /the run ended or was killed, and its result has not arrived$/,
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
    /last reported progress 9 min ago and does not poll/,
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

describe("a deployment that its server has fetched", () => checkVerdicts(FETCHED));

import { describe, expect, it } from "vitest";
import { explainUnanswered, failureCode } from "#client/unanswered.ts";
import type { HealthDocument } from "#lib/api/health.ts";
import { judgeAuthentication, judgeReach } from "../../../../apps/cli/doctor/access.ts";
import { type Answered, type Asked, findingLine } from "../../../../apps/cli/doctor/check.ts";
import {
  judgeClock,
  judgeSweeper,
  SIGNED_SKEW_MS_MAX,
  SKEW_MS_MAX,
  SWEEP_AGE_MS_MAX,
  skewMs,
  tellRevision,
} from "../../../../apps/cli/doctor/health.ts";
import {
  BACKLOG_MESSAGES_WARN,
  judgeQueues,
  needsSecondLook,
  WAITING_MS_MAX,
  WAITING_MS_WARN,
} from "../../../../apps/cli/doctor/queues.ts";

const NOW = 1_750_000_000_000;
type Queue = HealthDocument["queues"][number];

const aQueue = (fields: Partial<Queue> = {}): Queue => ({
  name: "check",
  holds: "work",
  waiting: 0,
  delayed: 0,
  in_flight: 0,
  oldest_waiting_ms: null,
  ...fields,
});

const aHealth = (fields: Partial<HealthDocument> = {}): HealthDocument => ({
  now_ms: NOW,
  last_sweep_at_ms: NOW - 20_000,
  queues: [],
  probe_url: "https://hearth.test/v1/agent/metadata/probe?sig=x",
  problems: [],
  warnings: [],
  ...fields,
});

const answered = (status: number, body: unknown = null): Answered => ({
  kind: "answered",
  status,
  body,
  dateMs: null,
  sentAt: NOW,
  receivedAt: NOW + 40,
});
const healthy = answered(200, { health: aHealth() });

describe("a line of the report", () => {
  it("has the verdict, the check, the finding and the advice", () => {
    const finding = { check: "clock", verdict: "warning", found: "it is late" } as const;
    expect(findingLine(finding)).toBe("warning    clock           it is late.");
    expect(findingLine({ ...finding, advice: "Set it" })).toBe(
      "warning    clock           it is late. Set it.",
    );
  });
});

describe("the revision", () => {
  it("comes from build_info, and its absence is no fault", () => {
    const info = { api: { revision: "f9f0dfe" }, engine: { revision: "f9f0dfe" } };
    expect(tellRevision(answered(200, info))).toEqual({
      check: "revision",
      verdict: "ok",
      found: "f9f0dfe runs there",
    });
    for (const none of [answered(404, info), answered(200), answered(200, { engine: {} })]) {
      expect(tellRevision(none).verdict).toBe("unchecked");
    }
  });
});

describe("a request without an answer", () => {
  const found = (code: string) => explainUnanswered("https://hearth.test/dev", code).found;

  it("is explained by its cause: name, connection, TLS, time-out", () => {
    expect(found("ENOTFOUND")).toBe("DNS knows no address of hearth.test (ENOTFOUND)");
    expect(found("EAI_AGAIN")).toMatch(/^DNS knows no address/);
    expect(found("ECONNREFUSED")).toMatch(/was refused: nothing listens there$/);
    expect(found("UND_ERR_CONNECT_TIMEOUT")).toMatch(/^no connection to hearth\.test can be made/);
    expect(found("TimeoutError")).toMatch(/gave no answer in time$/);
    expect(found("CERT_HAS_EXPIRED")).toMatch(/^TLS: .* not valid at this time/);
    expect(found("ERR_TLS_CERT_ALTNAME_INVALID")).toMatch(
      /^TLS: .* not for the name hearth\.test$/,
    );
    expect(found("DEPTH_ZERO_SELF_SIGNED_CERT")).toMatch(/^TLS: this machine does not trust/);
    expect(found("UNABLE_TO_VERIFY_LEAF_SIGNATURE")).toMatch(/^TLS: this machine does not trust/);
    expect(found("ERR_SSL_WRONG_VERSION_NUMBER")).toMatch(/^TLS: hearth\.test does not speak it/);
    expect(found("ECONNRESET")).toMatch(/closed the connection without an answer/);
    expect(found("HPE_INVALID_CONSTANT")).toMatch(/does not speak HTTP/);
    const advice = (url: string) => explainUnanswered(url, "UND_ERR_SOCKET").advice;
    expect(advice("http://hearth.test/dev")).toMatch(/^Try https:\/\/ in place of http:\/\//);
    expect(advice("https://hearth.test/dev")).not.toMatch(/^Try/);
    const refused = new TypeError("fetch failed", { cause: new Error("bad port") });
    expect(found(failureCode(refused))).toContain("belongs to another service");
    expect(found("ENOBUFS")).toBe("the request to hearth.test failed (ENOBUFS)");
  });
});

describe("the API's greeting", () => {
  const judge = (greeting: Asked) => judgeReach("https://hearth.test/dev", greeting);

  it("must be the list of versions", () => {
    expect(judge(answered(300))).toEqual({
      check: "api",
      verdict: "ok",
      found: "https://hearth.test/dev answers, within 40 ms",
    });
    expect(judge(answered(403))).toMatchObject({
      verdict: "wrong",
      found: "https://hearth.test/dev answers 403 where Hearth answers with its versions",
      advice: expect.stringContaining("ends with the stage"),
    });
    for (const endpoint of ["https://hearth.test/dev/v1", "https://hearth.test/dev/v1/demo"]) {
      expect(judgeReach(endpoint, answered(401)).advice).toMatch(/^Leave out .*\/v1/);
    }
    expect(judge(answered(502)).advice).toMatch(/log of the api function/);
  });
});

describe("authentication", () => {
  const credential = { endpoint: "https://hearth.test/dev", project: "demo", hasToken: true };
  const judge = (accepted: Asked, refused: Asked, fields: object = {}) =>
    judgeAuthentication({ ...credential, ...fields }, accepted, refused);

  it("accepts the token and refuses an invented one", () => {
    expect(judge(healthy, answered(401))).toMatchObject({ verdict: "ok" });
    const odd = judge(healthy, answered(500));
    expect([odd.verdict, odd.found]).toEqual([
      "warning",
      "the token is accepted; a wrong one gets 500 where 401 is right",
    ]);
    expect(judge(healthy, { kind: "unanswered", code: "ECONNRESET" }).verdict).toBe("warning");
  });

  it("may be absent only on a loopback address", () => {
    expect(judge(healthy, healthy)).toMatchObject({
      verdict: "wrong",
      found: "the API is open: it accepts an invented token",
    });
    for (const endpoint of ["http://127.0.0.1:8004", "http://localhost:8004", "http://[::1]:1"]) {
      expect(judge(healthy, healthy, { endpoint }).verdict, endpoint).toBe("ok");
    }
    const alike = { endpoint: "http://127.0.0.1.evil.example" };
    expect(judge(healthy, healthy, alike).verdict).toBe("wrong");
  });

  it("says why the token is refused", () => {
    const found = (status: number, fields: object = {}) =>
      judge(answered(status), answered(401), fields).found;
    expect(found(401)).toMatch(/mistyped, revoked or expired$/);
    expect(found(401, { hasToken: false })).toBe("a token is needed, and none was given");
    expect(found(403)).toBe("the token is good, but not for the project demo (403)");
    expect(found(404)).toBe("the API knows no health route (404)");
    expect(found(429)).toBe("the project demo has used up its limit of requests (429)");
    expect(found(500)).toBe("the health route answers 500");
    expect(found(200)).toMatch(/something that this client does not know$/);
    expect(judge({ kind: "unanswered", code: "ECONNREFUSED" }, healthy).verdict).toBe("wrong");
  });
});

describe("the queues", () => {
  const judge = (first: Queue, second: Queue = first) => {
    const one = aHealth({ queues: [first] });
    const two = first === second ? one : aHealth({ queues: [second] });
    return judgeQueues(one, two)[0];
  };

  it("need no second look while they are empty", () => {
    const delayed = aHealth({ queues: [aQueue({ delayed: 4, in_flight: 2 })] });
    expect(needsSecondLook(delayed)).toBe(false);
    expect(judgeQueues(delayed, delayed)[0]).toEqual({
      check: "check",
      verdict: "ok",
      found: "nothing waits (2 in flight, 4 not due yet)",
    });
    expect(needsSecondLook(aHealth({ queues: [aQueue({ waiting: 1 })] }))).toBe(true);
    const letter = aQueue({ holds: "dead-letters", in_flight: 1 });
    expect(needsSecondLook(aHealth({ queues: [letter] }))).toBe(true);
  });

  it("are fine while the messages are received", () => {
    expect(judge(aQueue({ waiting: 3 }), aQueue({ waiting: 1 }))).toMatchObject({
      verdict: "ok",
      found: "1 message waits",
    });
    expect(judge(aQueue({ waiting: 3 }), aQueue({ waiting: 9, in_flight: 10 }))).toMatchObject({
      verdict: "ok",
      found: "9 messages wait (10 in flight)",
    });
  });

  it("are wrong if nobody receives the messages in two looks", () => {
    expect(judge(aQueue({ waiting: 3 }), aQueue({ waiting: 4 }))).toMatchObject({
      verdict: "wrong",
      found: "4 messages wait, and nobody receives them: none is in flight, in two looks",
    });
    expect(judge(aQueue({ waiting: 3 }))?.verdict).toBe("ok");
  });

  it("are judged by the age of their messages where that is known", () => {
    const old = (oldest_waiting_ms: number) => {
      const queue = aQueue({ waiting: 1, in_flight: 1, oldest_waiting_ms });
      return judge(queue, { ...queue });
    };
    expect(old(WAITING_MS_WARN)).toMatchObject({ verdict: "ok" });
    expect(old(WAITING_MS_WARN + 1)).toMatchObject({
      verdict: "warning",
      found: "1 message waits, the oldest for 1m00s",
    });
    expect(old(WAITING_MS_MAX + 1)).toMatchObject({ verdict: "wrong" });
  });

  it("get a warning when there is more work than workers", () => {
    const many = aQueue({ waiting: BACKLOG_MESSAGES_WARN, in_flight: 10 });
    expect(judge({ ...many, waiting: many.waiting + 1 }, many)).toMatchObject({
      verdict: "warning",
      found: "1000 messages wait, fewer than before",
    });
  });

  it("are wrong with dead letters, messages given up, or changes without events", () => {
    const letters = aQueue({ name: "check-dead-letter", holds: "dead-letters", in_flight: 1 });
    expect(judge(letters, { ...letters, in_flight: 2 })).toMatchObject({
      check: "dead letters",
      verdict: "wrong",
      found: "2 messages that were delivered too often stand there (2 in check-dead-letter)",
    });
    expect(judge(letters, { ...letters, in_flight: 0 })?.verdict).toBe("ok");
    const queues = [
      aQueue({ name: "given-up", holds: "given-up", waiting: 1 }),
      aQueue({ name: "stream-failures", holds: "stream-failures", waiting: 2 }),
    ];
    const health = aHealth({ queues });
    expect(judgeQueues(health, health).map(({ verdict, found }) => [verdict, found])).toEqual([
      ["ok", "none"],
      ["wrong", "1 dead letter could not even be failed"],
      ["wrong", "2 batches of changes made no event, or no supervisor"],
    ]);
  });
});

describe("the sweeper", () => {
  const judge = (age: number) => judgeSweeper(aHealth({ last_sweep_at_ms: NOW - age }));

  it("is wrong after two missing runs", () => {
    expect(judge(SWEEP_AGE_MS_MAX).verdict).toBe("ok");
    expect(judge(SWEEP_AGE_MS_MAX + 1_000)).toMatchObject({
      verdict: "wrong",
      found: "the sweeper last finished 3m01s ago",
      advice: expect.stringContaining("a lost message hangs its stack"),
    });
    expect(judgeSweeper(aHealth({ last_sweep_at_ms: null })).found).toMatch(/has never finished/);
  });
});

describe("the clocks", () => {
  const sample = (theirs: number, journeyMs = 200, stepMs = 0) => ({
    theirs,
    stepMs,
    sentAt: NOW,
    receivedAt: NOW + journeyMs,
  });

  it("differ only by what the round trip cannot explain", () => {
    expect(skewMs(sample(NOW + 100))).toBe(0);
    expect(skewMs(sample(NOW + 9_000, 10_000))).toBe(0);
    expect(skewMs(sample(NOW + 7_200))).toBe(7_000);
    expect(skewMs(sample(NOW - 7_000))).toBe(-7_000);
    expect(skewMs(sample(NOW - 900, 200, 1_000))).toBe(0);
  });

  it("may differ a little, more with a warning, and never by more than the life of a signed URL", () => {
    const judge = (skew: number) => judgeClock(sample(NOW + skew, 0));
    expect(judge(SKEW_MS_MAX).verdict).toBe("ok");
    expect(judge(SKEW_MS_MAX + 1_000)).toMatchObject({
      verdict: "warning",
      found: "the deployment's clock is 6s ahead of this machine's",
    });
    expect(judge(-SIGNED_SKEW_MS_MAX - 1_000)).toMatchObject({
      verdict: "wrong",
      found:
        "the deployment's clock is 5m01s behind this machine's: more than the 5m00s that a signed request allows",
    });
    expect(judgeClock(null).verdict).toBe("unchecked");
  });
});

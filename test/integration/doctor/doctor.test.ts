import { afterEach, describe, expect, it } from "vitest";
import { startHost } from "#host/host.ts";
import { ask, type Finding } from "../../../apps/cli/doctor/check.ts";
import { examine } from "../../../apps/cli/doctor/doctor.ts";
import { tryOutSignedUrls } from "../../../apps/cli/doctor/signed-urls.ts";
import manifest from "../../../package.json" with { type: "json" };
import { hearth } from "../cli/hearth-process.ts";
import { type Answering, openFront, openSilence } from "./front.ts";
import { openStage, type Stage, type StageOptions, TOKEN } from "./stage.ts";

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
const stopLater = <T extends { stop(): Promise<void> }>(opened: T): T => {
  stops.push(() => opened.stop());
  return opened;
};

const stage = async (options: StageOptions = {}): Promise<Stage> => {
  const opened = stopLater(await openStage(options));
  await opened.sweep();
  return opened;
};

const stageBehind = async (answer: Answering): Promise<Stage> => {
  const front = stopLater(await openFront(answer));
  const opened = await stage({ publicUrl: front.url });
  front.to(opened.url);
  return opened;
};

const machine = { now: () => Date.now(), pause: async () => undefined, answerMsMax: 5_000 };

const look = (endpoint: string, token = TOKEN): Promise<readonly Finding[]> =>
  examine({ endpoint, project: "demo", token }, machine);

const finding = async ({ url }: Stage, check: string, token = TOKEN): Promise<Finding> => {
  const found = (await look(url, token)).find((one) => one.check === check);
  if (!found) throw new Error(`there is no check ${check}`);
  return found;
};

const wrongIn = (findings: readonly Finding[]): readonly string[] =>
  findings.filter(({ verdict }) => verdict !== "ok").map(({ check }) => check);

const CREATE = { stack_name: "app", template: { heat_template_version: "2016-10-14" } };
const createStack = async ({ url }: Stage): Promise<void> => {
  const headers = { "X-Auth-Token": TOKEN };
  const body = JSON.stringify(CREATE);
  const answer = await fetch(`${url}/v1/demo/stacks`, { method: "POST", headers, body });
  expect(answer.status).toBe(201);
};

describe("hearth doctor", () => {
  it("finds an embedded host sound, with exit code 0", async () => {
    const host = stopLater(await startHost({ port: 0, data: null }));
    const { code, stdout, stderr } = await hearth(host.url, "doctor");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = stdout.trim().split("\n");
    expect(lines.map((line) => line.split(/ {2,}/)[1])).toEqual([
      "api",
      "authentication",
      "revision",
      "prepare",
      "check",
      "poll",
      "dead letters",
      "sweeper",
      "clock",
      "signed URLs",
    ]);
    expect(lines.slice(0, -1).filter((line) => !line.startsWith("ok  "))).toEqual([]);
    expect(lines.at(-1)).toMatch(
      /^warning +signed URLs +a fresh one is accepted .*, but other machines cannot reach http:\/\/127\.0\.0\.1:\d+\. Start the host with --listen and --public-url .* if other machines are to be servers\.$/,
    );
    expect(lines[1]).toMatch(/none, as for an embedded host/);
    expect(lines[2]).toBe(`ok         revision        ${manifest.version} runs there.`);
  });

  it("reports each problem on its own line, and exits with 1", async () => {
    const silence = await openSilence();
    await silence.stop();
    const { code, stdout, stderr } = await hearth(silence.url, "doctor");
    expect(code).toBe(1);
    expect(stdout.split("\n")[0]).toMatch(
      /^wrong {6}api .*was refused: nothing listens there\. Check/,
    );
    expect(stdout).toContain("unchecked  sweeper         the API is not reached.");
    expect(stderr).toBe("ERROR: Something is wrong: api.\n");
  });

  it("gives the same as JSON for programs", async () => {
    const opened = await stage();
    opened.revokeToken();
    const { code, stdout } = await hearth(opened.url, "doctor", "--json");
    expect(code).toBe(1);
    expect(JSON.parse(stdout).findings[1]).toMatchObject({
      check: "authentication",
      verdict: "wrong",
    });
  });
});

describe("the API", () => {
  it("is found silent, or not speaking TLS", async () => {
    const silence = stopLater(await openSilence());
    const target = { endpoint: silence.url, project: "demo" };
    const [api] = await examine(target, { ...machine, answerMsMax: 50 });
    expect(api?.found).toMatch(/gave no answer in time$/);
    const opened = await stage();
    const [secure] = await look(opened.url.replace("http:", "https:"));
    expect(secure?.found).toMatch(/^TLS: 127\.0\.0\.1:\d+ does not speak it as it should/);
    const [unknown] = await look("http://hearth.invalid");
    expect(unknown?.found).toMatch(/^DNS knows no address of hearth\.invalid/);
  });

  it("is asked again when it has refused a request by a limit", async () => {
    const statuses = [429, 429, 200];
    const answer = async () => new Response("{}", { status: statuses.shift() ?? 500 });
    const front = stopLater(await openFront(answer));
    expect(await ask(front.url, {}, machine)).toMatchObject({ kind: "answered", status: 200 });
    expect(statuses).toEqual([]);
  });

  it("is found to be something else", async () => {
    const other = stopLater(await openFront(async () => new Response("It works!")));
    const [api] = await look(other.url);
    expect(api?.found).toMatch(/answers 200 where Hearth answers with its versions$/);
  });
});

describe("authentication", () => {
  it("is sound while the token is valid, and reports a revoked one", async () => {
    const opened = await stage();
    expect(await finding(opened, "authentication")).toEqual({
      check: "authentication",
      verdict: "ok",
      found: "the token is accepted, and a wrong one is refused",
    });
    opened.revokeToken();
    const findings = await look(opened.url);
    expect(findings[1]).toMatchObject({
      verdict: "wrong",
      found: "the token is not accepted (401): it is mistyped, revoked or expired",
    });
    expect(wrongIn(findings)).toEqual([
      "authentication",
      "revision",
      "queues",
      "sweeper",
      "signed URLs",
    ]);
    expect(findings.find(({ check }) => check === "clock")?.verdict).toBe("ok");
  });

  it("tells another project's token from a missing one", async () => {
    const opened = await stage();
    const foreign = await examine(
      { endpoint: opened.url, project: "other", token: TOKEN },
      machine,
    );
    expect(foreign[1]?.found).toBe("the token is good, but not for the project other (403)");
    expect((await finding(opened, "authentication", "")).found).toBe(
      "a token is needed, and none was given",
    );
  });
});

describe("the queues", () => {
  it("are wrong if work waits and nothing takes it", async () => {
    const opened = await stage();
    await createStack(opened);
    expect(await finding(opened, "prepare")).toMatchObject({
      verdict: "wrong",
      found: expect.stringMatching(
        /^1 message waits, the oldest for \ds, and nobody receives them: none is in flight, in two looks$/,
      ),
    });
    opened.moveClock(600_000);
    expect((await finding(opened, "prepare")).found).toMatch(
      /^1 message waits, the oldest for 10m/,
    );
  });

  it("show a dead letter that nothing handles", async () => {
    const opened = await stage();
    await createStack(opened);
    expect((await finding(opened, "dead letters")).found).toBe("none");
    const { queue } = opened.database;
    // The message is received as often as allowed, so the next receive makes it a dead letter.
    for (let receives = 0; receives <= 10; receives += 1) queue.receive("prepare", 1, 0);
    expect(await finding(opened, "dead letters")).toMatchObject({
      verdict: "wrong",
      found: "1 message that was delivered too often stands there (1 in dead-letter)",
      advice: expect.stringContaining("could not be failed"),
    });
    expect((await finding(opened, "prepare")).verdict).toBe("ok");
  });
});

describe("the sweeper", () => {
  it("is missed when it has stopped, and is not expected in a new deployment", async () => {
    const opened = await stage();
    expect((await finding(opened, "sweeper")).verdict).toBe("ok");
    opened.moveClock(600_000);
    expect(await finding(opened, "sweeper")).toMatchObject({
      verdict: "wrong",
      found: expect.stringMatching(/^the sweeper last finished 10m0\ds ago$/),
    });
    await opened.sweep();
    expect((await finding(opened, "sweeper")).verdict).toBe("ok");
    const fresh = stopLater(await openStage());
    expect((await finding(fresh, "sweeper")).found).toMatch(/^the sweeper has never finished/);
  });
});

describe("the clock", () => {
  it("gets a warning when it is off, and an error when signed URLs cannot tolerate that", async () => {
    const opened = await stage();
    expect((await finding(opened, "clock")).verdict).toBe("ok");
    opened.moveClock(20_000);
    expect(await finding(opened, "clock")).toMatchObject({
      verdict: "warning",
      found: expect.stringMatching(/^the deployment's clock is (19|20)s ahead of this machine's$/),
    });
    opened.moveClock(-3_620_000);
    expect(await finding(opened, "clock")).toMatchObject({
      verdict: "wrong",
      found: expect.stringMatching(
        /^the deployment's clock is (59m59s|1h00m) behind this machine's: /,
      ),
    });
  });
});

describe("signed URLs", () => {
  const through: Answering = (target, url) => fetch(`${target}${url}`);

  it("are sound if they arrive whole, by whatever route", async () => {
    const opened = await stageBehind(through);
    expect((await finding(opened, "signed URLs")).found).toMatch(
      /accepted and changed copies are refused, through http:\/\/127\.0\.0\.1:\d+, but other/,
    );
  });

  it("are wrong if others use the endpoint, and only this machine the agents' URL", async () => {
    const tell = async (_: string, path: string): Promise<Response> => {
      const applied = new URL(path, "http://front").searchParams.get("applied");
      const body = JSON.stringify({ probe: { applied } });
      return new Response(body, { status: applied === null ? 403 : 200 });
    };
    const { url } = stopLater(await openFront(tell));
    const probe = `${url}/v1/agent/metadata/p?kid=k&exp=1&gen=1&sig=s`;
    const asked = (endpoint: string) => tryOutSignedUrls(endpoint, probe, machine);
    expect((await asked("http://127.0.0.1:8004")).verdict).toBe("warning");
    expect(await asked("https://hearth.test:8004")).toMatchObject({
      verdict: "wrong",
      found: expect.stringContaining("other machines cannot reach http://127.0.0.1:"),
      advice: expect.stringContaining("--public-url"),
    });
  });

  it("are wrong if the agents' URL leads nowhere, or elsewhere", async () => {
    const nowhere = await openSilence();
    await nowhere.stop();
    const silent = await finding(await stage({ publicUrl: nowhere.url }), "signed URLs");
    expect(silent.advice).toMatch(/^Agents use it: correct the setting agentUrl, or publicUrl/);
    expect(silent.found).toMatch(
      /^the agents' URL http:\/\/127\.0\.0\.1:\d+ is not reached from here: .* nothing listens there$/,
    );
    const unknown = await stage({ publicUrl: "http://hearth.invalid/dev" });
    expect((await finding(unknown, "signed URLs")).found).toMatch(
      /^the agents' URL http:\/\/hearth\.invalid\/dev is not reached from here: DNS knows no address/,
    );
    const page = stopLater(await openFront(async () => new Response("It works!")));
    expect((await finding(await stage({ publicUrl: page.url }), "signed URLs")).found).toMatch(
      /leads elsewhere: a signed URL gets 200 there, and not this Hearth's answer$/,
    );
    const another = await stage();
    expect((await finding(await stage({ publicUrl: another.url }), "signed URLs")).found).toMatch(
      /^a fresh signed URL is refused \(403\) at the agents' URL http:\/\/127\.0\.0\.1:\d+$/,
    );
  });

  it("are wrong if a gateway drops or changes the query", async () => {
    const dropping = await stageBehind((target, url) => fetch(`${target}${url.split("?")[0]}`));
    expect((await finding(dropping, "signed URLs")).found).toMatch(
      /^a fresh signed URL is refused/,
    );
    const decoding = await stageBehind((target, url) =>
      fetch(`${target}${url.replaceAll("%2B", "+")}`),
    );
    expect((await finding(decoding, "signed URLs")).found).toMatch(
      /^the query string is changed on the way to .*: "a\+b c\/d=e&f%25" arrives as "a b c\/d=e&f%25"$/,
    );
  });

  it("are wrong if altered ones are answered, as by a cache that ignores the query", async () => {
    let kept: string | null = null;
    const caching = await stageBehind(async (target, url) => {
      kept ??= await (await fetch(`${target}${url}`)).text();
      return new Response(kept, { headers: { "Content-Type": "application/json" } });
    });
    expect(await finding(caching, "signed URLs")).toMatchObject({
      verdict: "wrong",
      found: "a signed URL whose signature was changed gets 200 where 403 is right",
    });
  });
});

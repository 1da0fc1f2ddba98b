import { describe, expect, it } from "vitest";
import { refusedText, whileThrottled } from "#client/refused.ts";

const asking = { endpoint: "http://heat:8004", project: "demo", hasToken: true };

describe("a refused command", () => {
  it("explains a bad token when the server does not", () => {
    expect(refusedText(401, "Not you.", asking)).toMatch(/^Not you\. The token is mistyped/);
    expect(refusedText(401, "Not you.", { ...asking, hasToken: false })).toBe(
      "Not you. No token was given: --token, or HEARTH_TOKEN.",
    );
    expect(refusedText(403, "Denied.", asking)).toBe(
      "Denied. Is the token one of the project demo (--project)?",
    );
  });

  it("tells that the endpoint has the project in it, as other clients want it", () => {
    const endpoint = "http://heat:8004/v1/demo";
    const noRoute = "The resource could not be found.";
    expect(refusedText(404, noRoute, { ...asking, endpoint })).toBe(
      `${noRoute} Give --endpoint without /v1 and the project, which is for --project.`,
    );
    expect(refusedText(404, noRoute, asking)).toBe(noRoute);
    const staged = { ...asking, endpoint: "https://gateway/v1" };
    expect(refusedText(404, noRoute, staged)).toBe(noRoute);
  });

  it("otherwise prints the server's own text", () => {
    expect(refusedText(404, "The Stack (x) could not be found.", asking)).toBe(
      "The Stack (x) could not be found.",
    );
  });

  it("recommends the doctor if the answer was not Hearth's", () => {
    expect(refusedText(403, null, asking)).toMatch(
      /^The server answered 403, and not as Hearth does\. "hearth doctor"/,
    );
  });
});

const refused = (retryAfter?: string): Response =>
  new Response("{}", { status: 429, headers: retryAfter ? { "Retry-After": retryAfter } : {} });

const play = async (answers: readonly (() => Response)[]) => {
  const pauses: number[] = [];
  let sent = 0;
  const send = async (): Promise<Response> => {
    const answer = answers[Math.min(sent, answers.length - 1)] ?? refused;
    sent += 1;
    return answer();
  };
  const { status } = await whileThrottled(send, async (milliseconds) => {
    pauses.push(milliseconds);
  });
  return { status, sent, pauses };
};

describe("a request that a limit refuses", () => {
  it("is sent again when the answer says, and its answer counts", async () => {
    const served = () => new Response("", { status: 201 });
    expect(await play([() => refused("7"), () => refused("3"), served])).toEqual({
      status: 201,
      sent: 3,
      pauses: [7_000, 3_000],
    });
  });

  it("waits longer each time if the answer says nothing, and always a second", async () => {
    expect((await play([() => refused()])).pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    expect((await play([() => refused("0")])).pauses.length).toBe(60);
    expect((await play([() => refused("soon")])).pauses[0]).toBe(1_000);
  });

  it("stays refused if that would take longer than a minute", async () => {
    expect(await play([() => refused("31")])).toEqual({ status: 429, sent: 2, pauses: [31_000] });
    const asking = { endpoint: "http://heat", project: "demo", hasToken: true };
    expect(refusedText(429, "Too many.", asking)).toBe(
      "Too many. This command waits for at most 60 s.",
    );
  });

  it("is not sent again for any other status", async () => {
    for (const status of [200, 302, 400, 503]) {
      expect((await play([() => new Response("", { status })])).sent).toBe(1);
    }
  });
});

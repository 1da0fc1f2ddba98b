import { describe, expect, it } from "vitest";
import { refusedText } from "#client/refused.ts";

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

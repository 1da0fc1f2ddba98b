import { describe, expect, it } from "vitest";
import { refusedText } from "#client/refused.ts";

const asking = { project: "demo", hasToken: true };

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

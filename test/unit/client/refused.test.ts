import { describe, expect, it } from "vitest";
import { refusedText } from "#client/refused.ts";

const asking = { project: "demo", hasToken: true };

describe("a refused command", () => {
  it("is told what is wrong with its token where the server's words name none", () => {
    expect(refusedText(401, "Not you.", asking)).toMatch(/^Not you\. The token is mistyped/);
    expect(refusedText(401, "Not you.", { ...asking, hasToken: false })).toBe(
      "Not you. No token was given: --token, or HEARTH_TOKEN.",
    );
    expect(refusedText(403, "Denied.", asking)).toBe(
      "Denied. Is the token one of the project demo (--project)?",
    );
  });

  it("is told the server's own words about everything else", () => {
    expect(refusedText(404, "The Stack (x) could not be found.", asking)).toBe(
      "The Stack (x) could not be found.",
    );
  });

  it("is sent to the doctor where it was not Hearth that answered", () => {
    expect(refusedText(403, null, asking)).toMatch(
      /^The server answered 403, and not as Hearth does\. "hearth doctor"/,
    );
  });
});

/** A share of `npm run lane -- previews`. */
import { describe, expect, it } from "vitest";
import { comparePreviews, previewFault } from "./previews.ts";

const CASES = 300;

describe("a preview of an update is true", () => {
  it("P3.1: each visit that finds what the preview had read decides as the preview said", async () => {
    expect(previewFault(await comparePreviews(CASES))).toBeNull();
  });
});

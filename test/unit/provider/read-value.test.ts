/** Errors name the place of a wrong value, even if zod/mini has no language set. */
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { readValue } from "#provider/read-value.ts";

const schema = z.strictObject({ list: z.array(z.strictObject({ size: z.number() })) });

describe("a value that is read by a schema", () => {
  it.each([
    [null, "Invalid input: expected object, received null"],
    [{}, "list: Invalid input: expected array, received undefined"],
    [{ list: [{ size: "1" }] }, "list.0.size: Invalid input: expected number, received string"],
    [{ list: [{ size: 1, sise: 1 }] }, 'list.0: Unrecognized key: "sise"'],
  ])("%j is refused", (given, wrong) => {
    z.config({ localeError: undefined });
    expect(readValue(schema, given)).toEqual({ wrong });
  });

  it("is given back if it is right", () => {
    const value = { list: [{ size: 1 }] };
    expect(readValue(schema, value)).toEqual({ value });
  });
});

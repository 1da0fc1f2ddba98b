import { describe, expect, it } from "vitest";
import { computed, GroupCase } from "#test/oracles/group-cases.ts";
import { readCases, whyNoOracles } from "#test/oracles/oracle-files.ts";

const cases = whyNoOracles() === null ? readCases("groups.json", GroupCase) : [];

describe.runIf(cases.length > 0)("a group does what Heat did", () => {
  it.each(cases.map((given) => [given.id, given] as const))("%s", (_, given) => {
    for (const one of computed(given)) expect(one.given).toEqual(one.expected);
    expect.hasAssertions();
  });
});

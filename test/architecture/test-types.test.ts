import { describe, expect, it } from "vitest";
import { statementsOf } from "./policies.ts";
import { SYNTHESIS_MS_MAX, synthesize } from "./synthesize.ts";

const TEST_TABLE = /FakeProvider|FAKE_PROVIDER/i;

describe("a stage", { timeout: SYNTHESIS_MS_MAX }, () => {
  it("has no table of test objects, no rights for one and no word of it", () => {
    const template = synthesize();
    const tables = Object.keys(template.findResources("AWS::DynamoDB::Table"));
    expect(tables.length).toBeGreaterThan(8);
    expect(tables.filter((id) => TEST_TABLE.test(id))).toEqual([]);
    expect(JSON.stringify(statementsOf(template))).not.toMatch(TEST_TABLE);
    expect(JSON.stringify(template)).not.toMatch(TEST_TABLE);
  });

  it("keeps the table that it had if it asks for the types, under the same logical id", () => {
    const template = synthesize({ testTypes: "yes" });
    const tables = Object.keys(template.findResources("AWS::DynamoDB::Table"));
    // CloudFormation would make a new, empty table under another id.
    expect(tables).toContain("DataFakeProvider43C87C7F");
  });
});

import { describe, expect, it } from "vitest";
import { packedTables } from "#providers/cloud-control/tables/packed-tables.ts";
import { readTables } from "#providers/cloud-control/tables/type-table.ts";
import { propertiesOf } from "#providers/cloud-control/types/properties.ts";
import { packed, tableLines } from "../../../tools/packaging/aws-types.ts";

const SAMPLE = {
  typeName: "My::Small::Thing",
  properties: {
    Name: { type: "string" },
    Arn: { type: "string" },
    Size: { type: ["integer", "string"] },
    Rule: { $ref: "#/definitions/Rule" },
    Tags: { type: "array", items: { $ref: "#/definitions/Tag" } },
  },
  definitions: {
    Rule: {
      type: "object",
      properties: { Port: { type: "integer" }, Not: { $ref: "#/definitions/Rule" } },
      required: ["Port"],
    },
    Tag: { type: "object", properties: { Key: { type: "string" }, Value: { type: "string" } } },
  },
  required: ["Name"],
  handlers: { create: { permissions: ["my:Create"] }, delete: {}, read: {}, update: {} },
  primaryIdentifier: ["/properties/Name"],
  createOnlyProperties: ["/properties/Name"],
  readOnlyProperties: ["/properties/Arn"],
  tagging: { taggable: true, tagOnCreate: true, tagProperty: "/properties/Tags" },
};

describe("the compiler", () => {
  it("keeps what the provider needs", () => {
    const tables = readTables(packed(tableLines([SAMPLE])));
    expect(tables.names).toEqual(["My::Small::Thing"]);
    expect(tables.table("My::Small::Thing")).toEqual({
      handlers: ["create", "read", "update", "delete"],
      identifier: ["Name"],
      createOnly: ["Name"],
      perhapsCreateOnly: [],
      readOnly: ["Arn"],
      writeOnly: [],
      needs: ["Name"],
      tags: { property: "Tags", form: "list" },
      properties: {
        Name: "s",
        Arn: "s",
        Size: "a",
        Rule: { ref: "Rule" },
        Tags: { list: { ref: "Tag" } },
      },
      definitions: {
        Rule: { of: { Port: "i", Not: { ref: "Rule" } }, needs: ["Port"] },
        Tag: { of: { Key: "s", Value: "s" } },
      },
    });
  });

  it("leaves out what Cloud Control cannot make", () => {
    expect(tableLines([{ ...SAMPLE, handlers: { read: {} } }])).toBe("");
  });
});

describe("the kept tables", () => {
  const tables = readTables(packedTables());

  it("have every type that Cloud Control makes", () => {
    expect(tables.names.length).toBe(1_744);
    expect(tables.table("AWS::S3::Bucket")).toMatchObject({
      identifier: ["BucketName"],
      createOnly: ["BucketName", "BucketNamePrefix", "BucketNamespace"],
      tags: { property: "Tags", form: "list" },
    });
    expect(tables.table("AWS::No::Such")).toBe(null);
  });

  it("give each type a schema of bounded size", { timeout: 60_000 }, () => {
    const sizes = tables.names.map((name) => {
      const table = tables.table(name);
      return table === null ? 0 : JSON.stringify(propertiesOf(table)).length;
    });
    expect(Math.max(...sizes)).toBeLessThan(500_000);
    expect(Math.min(...sizes)).toBeGreaterThan(0);
  });
});

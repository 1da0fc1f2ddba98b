import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { TEMPLATE_RECORDS_CHARS_MAX, TEMPLATE_RECORDS_NAMED_MAX } from "#lib/stack/limits.ts";
import { namesToRenew, namesToVisit } from "#lib/stack/partial/visited-names.ts";
import { PLAIN_TYPES, planned, rowsOf, target } from "../targets.ts";

const p = (value: string): JsonObject => ({ properties: { p: value } });

const keepers = (...templateIds: readonly string[]) =>
  templateIds.map((templateId, at) => ({ name: `r${at}`, templateId, textTemplates: [] }));

const numbered = (count: number) => Array.from({ length: count }, (_, at) => `t${at}`);

describe("P24: rows are visited for their template records", () => {
  it("only if there are too many, and then all but those of the one that most rows keep", async () => {
    const before = await target({ resources: { a: p("1") } });
    const few = keepers("most", "most", ...numbered(TEMPLATE_RECORDS_NAMED_MAX - 2));
    expect(namesToRenew(few, before)).toEqual(new Set());
    const many = keepers("most", "most", ...numbered(TEMPLATE_RECORDS_NAMED_MAX - 1));
    expect(namesToRenew(many, before)).toEqual(
      new Set(many.filter(({ templateId }) => templateId !== "most").map(({ name }) => name)),
    );
  });

  it("also for the records of their texts", async () => {
    const before = await target({ resources: { a: p("1") } });
    const rows = [
      { name: "a", templateId: "most", textTemplates: ["most"] },
      { name: "b", templateId: "most", textTemplates: numbered(TEMPLATE_RECORDS_NAMED_MAX) },
    ];
    expect(namesToRenew(rows, before)).toEqual(new Set(["b"]));
  });

  it("earlier if the records are large, but never for one", async () => {
    const files = { large: "x".repeat(TEMPLATE_RECORDS_CHARS_MAX / 2) };
    const before = await target({ resources: { a: p("1") }, files });
    expect(namesToRenew(keepers("t0", "t0"), before)).toEqual(new Set());
    expect(namesToRenew(keepers("t0", "t0", "t1"), before)).toEqual(new Set(["r2"]));
  });

  it("and an update visits them with what it changes", async () => {
    const names = numbered(TEMPLATE_RECORDS_NAMED_MAX + 2);
    const resources = Object.fromEntries(names.map((name) => [name, p("1")]));
    const before = await target({ resources });
    const after = await target({ resources: { ...resources, t0: p("2") } });
    const seen = (records: number) => {
      const rows = rowsOf(before).map((row, at) => ({ ...row, templateId: `r${at % records}` }));
      return namesToVisit({}, { before, target: after, rows: planned(rows), types: PLAIN_TYPES });
    };
    expect(await seen(TEMPLATE_RECORDS_NAMED_MAX - 1)).toEqual(new Set(["t0"]));
    const last = `t${TEMPLATE_RECORDS_NAMED_MAX}`;
    expect(await seen(TEMPLATE_RECORDS_NAMED_MAX)).toEqual(
      new Set(names.filter((name) => name !== last)),
    );
  });
});

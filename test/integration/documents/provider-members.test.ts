import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import * as z from "zod";

const textOf = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const page = textOf("docs/write-a-provider.md");

const objectSchema = z.object({ properties: z.record(z.string(), z.unknown()) });
const { components } = z
  .object({
    components: z.object({
      schemas: z.object({
        PropertySchema: objectSchema,
        WaitingCall: objectSchema,
        Answer: z.object({ oneOf: z.array(objectSchema) }),
      }),
    }),
  })
  .parse(parse(textOf("docs/provider-protocol.yaml")));
const { PropertySchema, WaitingCall, Answer } = components.schemas;

const rowsOf = (chapter: string): readonly (readonly string[])[] => {
  const [, text = ""] = page.split(`\n## ${chapter}\n`);
  const [own = ""] = text.split("\n## ");
  const rows = own.split("\n").filter((line) => line.startsWith("| "));
  return rows.slice(2).map((line) => line.split("|").map((cell) => cell.trim()));
};

const namesIn = (cell = ""): readonly string[] =>
  [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);

const firstColumn = (chapter: string): readonly string[] =>
  rowsOf(chapter).flatMap(([, cell]) => namesIn(cell));

describe("docs/write-a-provider.md", () => {
  it("has a row for each member of a property's schema", () => {
    const { type, ...others } = PropertySchema.properties;
    expect(type).toBeDefined();
    expect(firstColumn("What the schemas say").toSorted()).toEqual(Object.keys(others).toSorted());
  });

  it("has a row for each member of a call", () => {
    // The type is not a member of a call, and a signal does not travel over HTTP.
    const { type, ...members } = WaitingCall.properties;
    expect(type).toBeDefined();
    const functions = ["poll", "update"];
    expect(firstColumn("What a function is given").toSorted()).toEqual(
      [...Object.keys(members), "signal", ...functions].toSorted(),
    );
  });

  it("has a row for each answer, with its members", () => {
    const rows = rowsOf("What it answers").map(([, state, members]) => [
      ...namesIn(state),
      ...namesIn(members).filter((name) => name !== "create"),
    ]);
    const wanted = Answer.oneOf.map(({ properties: { state, ...members } }) => [
      z.object({ const: z.string() }).parse(state).const,
      ...Object.keys(members),
    ]);
    const inOrder = (lists: readonly (readonly string[])[]) =>
      lists.map((names) => names.toSorted().join(" ")).toSorted();
    expect(inOrder(rows)).toEqual(inOrder(wanted));
  });

  it("names the package's version", () => {
    const { version } = z
      .object({ version: z.string() })
      .parse(JSON.parse(textOf("providers/sdk/package.json")));
    expect(page).toContain(`hearth-provider-${version}.tgz`);
  });
});

/**
 * The pages of docs/reference are those that the schemas generate. All their examples are executed:
 * examples of functions on a host, and examples of types with stubs in memory.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TEMPLATE_BYTES_MAX } from "#lib/engine/stacks/target-source.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { REQUEST_SEARCHED_CHARACTERS_MAX } from "#lib/template/functions/value-budget.ts";
import { parseText } from "#lib/template/yaml/yaml.ts";
import { at, openWorld, textAt } from "#test/unit/api/api-world.ts";
import { FUNCTION_SIZES } from "../../../infra/function-sizes.ts";
import { allReferencePages } from "../../../tools/packaging/all-reference-pages.ts";
import { constantValue, namedLimits } from "../../../tools/packaging/named-limits.ts";
import { type Block, blocksOf, fileNameOf } from "./document-blocks.ts";
import { filesNamedIn, frameOf, templateWith } from "./page-examples.ts";
import { type PageHost, startPageHost } from "./page-host.ts";
import { fragmentsOf } from "./template-examples.ts";
import { functionNames } from "./version-table.ts";

const FOLDER = fileURLToPath(new URL("../../../docs/reference/", import.meta.url));
const STUBS: JsonObject = {
  resource_registry: {
    "OS::*": "Hearth::Stub::OS::*",
    "AWS::*": "Hearth::Stub::AWS::*",
    "Hearth::Machine::*": "Hearth::Stub::Hearth::Machine::*",
  },
};
const FILES = { "https://example.com/nested.yaml": "heat_template_version: 2021-04-16" };

const pages = new Map(
  readdirSync(FOLDER).map((name) => [name, readFileSync(`${FOLDER}${name}`, "utf8")] as const),
);

describe("docs/reference", () => {
  it("is what the sources make; else npm run docs -- reference", async () => {
    const made = new Map((await allReferencePages()).map(({ name, text }) => [name, text]));
    const differing = [...new Set([...made.keys(), ...pages.keys()])].filter(
      (name) => made.get(name) !== pages.get(name),
    );
    expect(made.size).toBeGreaterThan(20);
    expect(differing).toEqual([]);
  });
});

describe("docs/reference/limits.md", () => {
  it("says of each limit what happens beyond it", () => {
    const limits = namedLimits();
    expect(limits.length).toBeGreaterThan(60);
    expect(limits.filter(({ beyond }) => beyond === "").map(({ name }) => name)).toEqual([]);
  });

  it("has the values that the code obeys", () => {
    const value = (name: string) => namedLimits().find((limit) => limit.name === name)?.value;
    expect(value("TEMPLATE_BYTES_MAX")).toBe(TEMPLATE_BYTES_MAX);
    expect(value("REQUEST_SEARCHED_CHARACTERS_MAX")).toBe(REQUEST_SEARCHED_CHARACTERS_MAX);
    expect(value("REQUEST")).toBe(FUNCTION_SIZES.api.timeout.toMilliseconds());
  });
});

describe("the limits of docs/rules/limits.md", () => {
  const page = readFileSync(`${FOLDER}../rules/limits.md`, "utf8");
  const FILES = ["lib/convergence/limits.ts", "lib/stack/limits.ts", "lib/ports/store.ts"];
  const named = [...page.matchAll(/^\| ([^|]*`[^|]*) \| ([^|]*) \|/gm)].flatMap(
    ([, names = "", value = ""]) =>
      Array.from(names.matchAll(/`([A-Z_]+)`/g), ([, name = ""]) => ({ name, value })),
  );

  const numberOf = (name: string): number => {
    const file = FILES.find((path) =>
      readFileSync(`${FOLDER}../../${path}`, "utf8").includes(`const ${name} =`),
    );
    return constantValue(file ?? "", name);
  };

  const texts = (name: string): readonly string[] => {
    const value = numberOf(name);
    const [MI, SECOND, MINUTE, DAY] = [1_048_576, 1_000, 60_000, 86_400_000];
    if (name.includes("_MINS_")) return [`${value} min`, `${(value * MINUTE) / DAY} day`];
    if (name.includes("_MS")) return [`${value / SECOND} s`, `${value / DAY} day`];
    return [value.toLocaleString("en"), `${value / MI} Mi`];
  };

  it("are those that the code obeys", () => {
    expect(named.length).toBeGreaterThan(30);
    const isTold = (text: string, value: string): boolean =>
      new RegExp(`(?<![\\d,.])${text}(?![\\d])`).test(value);
    const wrong = named.filter(
      ({ name, value }) => !texts(name).some((text) => isTold(text, value)),
    );
    expect(wrong).toEqual([]);
  });
});

describe("docs/reference/functions.md", () => {
  const blocks = blocksOf(pages.get("functions.md") ?? "");
  const files = new Map(
    blocks.flatMap((block) => {
      const name = fileNameOf(block);
      return name === null ? [] : [[name, `${block.text}\n`] as const];
    }),
  );
  const fragments = blocks.filter((block) => fileNameOf(block) === null);
  let host: PageHost;
  beforeAll(async () => {
    host = await startPageHost(files);
  });
  afterAll(() => host.stop());

  it("has a section and an example for each function", () => {
    const headings = (pages.get("functions.md") ?? "").matchAll(/^### (.*)$/gm);
    expect([...headings].map(([, name]) => name).toSorted()).toEqual(functionNames());
    expect(fragments.length).toBe(functionNames().length);
  });

  const titled = fragments.map((block) => ({ title: block.text.split("\n")[0] ?? "", block }));

  it.each(titled)("gives what it says: $title", async ({ block }) => {
    const { template: frame } = frameOf(blocks, block);
    const parts = fragmentsOf(block);
    const examples = parts.flatMap((part) => part.examples);
    const template = templateWith(frame, parts, new Set(examples));
    const made = await host.make(template, Object.fromEntries(filesNamedIn(files, template)));
    const outputs = "outputs" in made ? made.outputs : new Map();
    const came = examples.map(({ name }) => {
      const { value, error } = outputs.get(name) ?? { value: null, error: "no output" };
      return [name, error === null ? { gives: value } : { error }];
    });
    expect(came).toEqual(examples.map(({ name, expected }) => [name, expected]));
  });
});

const typeBlocks = [...pages].flatMap(([name, text]) =>
  name.startsWith("types-") ? blocksOf(text) : [],
);

const resourcesIn = ({ text }: Block): JsonObject => {
  const { resources = null } = objectOf(parseText(text));
  return objectOf(resources);
};

const objectOf = (value: Json): JsonObject => (isJsonObject(value) ? value : {});

describe("the example of a type", () => {
  const types = typeBlocks.map((block) => ({ type: block.chapter, block }));

  it("is there for each type of the list", () => {
    const listed = (pages.get("README.md") ?? "").matchAll(/^\| \[([\w:]+)\]/gm);
    const names = [...listed].map(([, name]) => name);
    expect(names.length).toBeGreaterThan(150);
    expect(types.map(({ type }) => type).toSorted()).toEqual(names);
  });

  it.each(types)("$type is valid, and reaches CREATE_COMPLETE with stubs", async (example) => {
    const resources = resourcesIn(example.block);
    const types = Object.values(resources).map((one) => objectOf(one)["type"]);
    expect(types).toContain(example.type);
    const template = { heat_template_version: "2021-04-16", resources };
    const world = openWorld();
    const validation = await world.send("POST", "/validate", { template, files: FILES });
    expect(validation).toMatchObject({ status: 200 });
    const body = { stack_name: "one", template, environment: STUBS, files: FILES };
    const created = await world.send("POST", "/stacks", body);
    expect(created).toMatchObject({ status: 201 });
    await world.settle();
    const shown = await world.send("GET", `/stacks/one/${textAt(created.body, "stack", "id")}`);
    expect(at(shown.body, "stack", "stack_status")).toBe("CREATE_COMPLETE");
  });
});

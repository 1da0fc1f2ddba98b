import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadPlugins } from "#host/plugins/load-plugin.ts";
import { freshFolder, removeFolder } from "../../contract/folders.ts";

let folder: string;
beforeEach(() => {
  folder = freshFolder();
});
afterEach(() => removeFolder(folder));

const FUNCTIONS = "create: async () => null, delete: async () => null";
const BODY = `description: "", properties: {}, tokens: "kept", ${FUNCTIONS}`;

let files = 0;
/** Node caches each module by its path, so each file has a name of its own. */
const plugin = (text: string): string => {
  files += 1;
  const file = join(folder, `p${files}.mjs`);
  writeFileSync(file, text);
  return file;
};
const typed = (types: string): string =>
  plugin(`export default { provider: 1, name: "p", types: { ${types} } };`);
const oneType = (body: string): string => typed(`"My::Thing": { ${body} }`);
const second = (body: string): string =>
  plugin(`export default { provider: 2, name: "p", types: { "My::Thing": { ${body} } } };`);
const WITH_A = BODY.replace("properties: {}", 'properties: { a: { type: "string" } }');
const property = (schema: string): string =>
  oneType(`${BODY.replace("properties: {}", `properties: { p: ${schema} }`)}`);

const refusal = async (...sources: readonly string[]): Promise<string> => {
  try {
    await loadPlugins(sources);
    return "";
  } catch (error) {
    const text = error instanceof Error ? error.message : "";
    const file = sources.at(-1) ?? "";
    const start = `The plug-in ${file} cannot be used: `;
    expect(text.startsWith(start), text).toBe(true);
    return text.slice(start.length);
  }
};

describe("a file of version 2", () => {
  it("of version 2 is loaded, with its later functions", async () => {
    const functions = "suspend: async () => null, resume: async () => null";
    const [loaded] = await loadPlugins([second(`${BODY}, ${functions}`)]);
    expect(loaded?.provider.types["My::Thing"]?.suspend).toBeTypeOf("function");
  });

  const later: readonly [string, () => string, string][] = [
    [
      "has a function of version 2 in version 1",
      () => oneType(`${BODY}, suspend: async () => null`),
      "types.My::Thing.suspend: it is for version 2, so provider must be 2.",
    ],
    [
      "repairs in version 1",
      () => oneType(`${BODY}, update: async () => null, repairable: true`),
      "types.My::Thing.repairable: it is for version 2, so provider must be 2.",
    ],
    [
      "repairs without an update",
      () => second(`${BODY}, repairable: true`),
      "types.My::Thing.repairable: the type has no update.",
    ],
    [
      "has unique names in version 1",
      () => oneType(`${BODY}, uniqueBy: ["path"]`),
      "types.My::Thing.uniqueBy: it is for version 2, so provider must be 2.",
    ],
    [
      "is unique by what is no property",
      () => second(`${BODY}, uniqueBy: ["path", "size"]`),
      "types.My::Thing.uniqueBy: no such property: path.",
    ],
    [
      "restores without a snapshot",
      () => second(`${BODY}, restore: { a: "b" }`),
      "types.My::Thing.restore: the type has no snapshot.",
    ],
    [
      "restores what is no property",
      () => second(`${BODY}, snapshot: async () => null, restore: { a: "b" }`),
      "types.My::Thing.restore.a: no such property.",
    ],
    [
      "restores from what is no attribute",
      () => second(`${WITH_A}, snapshot: async () => null, restore: { a: "b" }`),
      "types.My::Thing.restore.a: no such attribute: b.",
    ],
  ];
  it.each(later)("or 1 that %s is refused", async (_name, source, text) => {
    expect(await refusal(source())).toBe(text);
  });
});

describe("a file", () => {
  it("that is a provider is loaded", async () => {
    const [loaded] = await loadPlugins([oneType(BODY)]);
    expect(Object.keys(loaded?.provider.types ?? {})).toEqual(["My::Thing"]);
  });

  const broken: readonly [string, () => string, string | RegExp][] = [
    ["is missing", () => join(folder, "none.mjs"), "there is no such file."],
    ["cannot be read", () => plugin("export default {"), /^it fails when it is loaded: /],
    ["throws", () => plugin('throw new Error("no disk")'), "it fails when it is loaded: no disk"],
    ["exports nothing", () => plugin(""), "it has no object as its default export."],
    [
      "has no version",
      () => plugin("export default { types: {} }"),
      "provider: must say the version of the interface, which is 1 or 2.",
    ],
    [
      "has another version",
      () => plugin("export default { provider: 3 }"),
      "provider: version 3 of the interface is not known here, only 1 or 2.",
    ],
    [
      "has a name with spaces",
      () => plugin('export default { provider: 1, name: "my files", types: {} }'),
      "name: must have 1 to 100 letters, digits and the signs _ @ . / -.",
    ],
    ["has no types", () => typed(""), "types: must have at least one resource type."],
    ["has a bad name", () => typed(`"Thing": { ${BODY} }`), /^types\.Thing: a type has a name/],
    [
      "has no create",
      () => oneType(BODY.replace("create: async () => null,", "")),
      "types.My::Thing.create: must be a function.",
    ],
    [
      "has an unknown member",
      () => oneType(`${BODY}, handleCreate: 1`),
      /^types\.My::Thing: .*handleCreate/,
    ],
    [
      "has an unknown policy",
      () => oneType(BODY.replace('"kept"', '"sometimes"')),
      /^types\.My::Thing\.tokens: must be "kept", "searchable"/,
    ],
    [
      "forgets tokens and finds nothing",
      () => oneType(BODY.replace('"kept"', '"searchable"')),
      "types.My::Thing.find: a type whose provider forgets tokens needs it.",
    ],
    [
      "wants more time than a lease has",
      () => oneType(`${BODY}, callSecondsMax: 61`),
      /^types\.My::Thing\.callSecondsMax: .*60/,
    ],
    [
      "has an attribute of Hearth's",
      () => oneType(`${BODY}, attributes: { show: {} }`),
      "types.My::Thing.attributes.show: every resource has it already.",
    ],
  ];
  it.each(broken)("that %s is refused", async (_name, source, text) => {
    expect(await refusal(source())).toMatch(text);
  });

  const schemas: readonly [string, string | RegExp][] = [
    ['{ type: "text" }', /^type: /],
    ['{ type: "string", updatable: true }', /updatable/],
    ['{ type: "string", updateAllowed: true }', "updateAllowed: the type has no update."],
    ['{ type: "string", items: { type: "string" } }', "items: only a list has items."],
    ['{ type: "string", schema: {} }', "schema: only a map has members."],
    ['{ type: "integer", default: "many" }', /^default: /],
    [
      '{ type: "integer", default: 9, constraints: [{ range: { max: 5 } }] }',
      /^default: 9 is out of range/,
    ],
    [
      '{ type: "string", constraints: [{ range: { max: 5 } }] }',
      "constraints.0.range: a property of type string cannot have it.",
    ],
    [
      '{ type: "integer", constraints: [{ range: { min: "0" } }] }',
      /^constraints\.0: must be \{ range: BOUNDS \}, .*; BOUNDS have the numbers min and max/,
    ],
    [
      '{ type: "string", constraints: [{ allowedPattern: "(" }] }',
      /^constraints\.0\.allowedPattern: /,
    ],
    [
      '{ type: "map", schema: { inner: { type: "list", default: 1 } } }',
      /^schema\.inner\.default: /,
    ],
  ];
  it.each(schemas)("with the property %s is refused", async (schema, text) => {
    const why = await refusal(property(schema));
    const start = /^types\.My::Thing\.properties\.p(\.|: )/;
    expect(why).toMatch(start);
    expect(why.replace(start, "")).toMatch(text);
  });

  it.each(["OS::Heat::Value", "OS::Nova::Server", "Hearth::Mine", "OS::Metering::Alarm"])(
    "with the type %s of Hearth is refused",
    async (name) => {
      expect(await refusal(typed(`"${name}": { ${BODY} }`))).toBe(
        `types.${name}: Hearth has this name itself.`,
      );
    },
  );

  it("with a type of another plug-in is refused", async () => {
    const first = oneType(BODY);
    expect(await refusal(first, oneType(BODY))).toBe(
      `types.My::Thing: the plug-in ${first} has a type of this name too.`,
    );
  });
});

describe("a package", () => {
  it("is found from the folder of the command", async () => {
    const home = process.cwd();
    const place = join(folder, "node_modules/@acme/things");
    mkdirSync(place, { recursive: true });
    const manifest = { name: "@acme/things", version: "1.0.0", exports: "./main.mjs" };
    writeFileSync(join(place, "package.json"), JSON.stringify(manifest));
    writeFileSync(
      join(place, "main.mjs"),
      `export default { provider: 1, name: "p", types: { "My::Thing": { ${BODY} } } };`,
    );
    try {
      process.chdir(folder);
      expect(await loadPlugins(["@acme/things"])).toHaveLength(1);
      expect(await refusal("@acme/none")).toMatch(/^no such package is installed here/);
    } finally {
      process.chdir(home);
    }
  });
});

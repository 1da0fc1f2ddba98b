import { describe, expect, it } from "vitest";
import type { JsonObject } from "#lib/json.ts";
import { act, aRow, attributesOf, problemOf, schemaOf, world } from "../world.ts";

describe("the registry", () => {
  it("finds every type by its name and nothing by another", async () => {
    const types = world().ports.resourceTypes;
    expect(types.names()).toContain("OS::Heat::SoftwareDeployment");
    for (const name of types.names()) expect((await types.get(name))?.type).toBe(name);
    expect(await types.get("constructor")).toBeNull();
  });
});

describe("OS::Heat::None", () => {
  it("takes any properties and has null for every attribute", async () => {
    const progress = await act(world(), aRow("OS::Heat::None"), "CREATE", { any: [1] });
    expect(progress).toMatchObject({ state: "finished" });
    const { attribute } = await schemaOf("OS::Heat::None");
    expect(attribute?.({}, "any")).toBeNull();
  });
});

describe("OS::Heat::Value", () => {
  const create = (given: JsonObject) => act(world(), aRow("OS::Heat::Value"), "CREATE", given);

  it.each([
    [{ value: 5 }, 5],
    [{ value: { a: 1 } }, { a: 1 }],
    [{ value: 5, type: "string" }, 5],
    [{ value: "5", type: "number" }, "5"],
    [{ value: "true", type: "boolean" }, "true"],
    [{ value: ["a"], type: "comma_delimited_list" }, ["a"]],
    [{ value: { a: 1 }, type: "json" }, { a: 1 }],
  ])("%j has the value %j", async (given, expected) => {
    expect(attributesOf(await create(given))).toEqual({ value: expected });
  });

  it("refuses a value that its type cannot hold", async () => {
    const wrong = { value: "x", type: "boolean" };
    expect(await problemOf("OS::Heat::Value", wrong)).toBe(
      'Property error: resources.res.properties.value: "x" is not a valid boolean',
    );
    expect(await create(wrong)).toMatchObject({ state: "failed" });
  });

  it("keeps its physical id when it is updated", async () => {
    const [at, row] = [world(), aRow("OS::Heat::Value")];
    await act(at, row, "CREATE", { value: "a" });
    const before = row.physicalResourceId;
    expect(attributesOf(await act(at, row, "UPDATE", { value: "b" }))).toEqual({ value: "b" });
    expect(row.physicalResourceId).toBe(before);
  });
});

describe("OS::Heat::RandomString", () => {
  const create = async (given: JsonObject): Promise<string> => {
    const progress = await act(world(), aRow("OS::Heat::RandomString"), "CREATE", given);
    const { value } = attributesOf(progress);
    expect(progress).toMatchObject({ refId: value });
    return typeof value === "string" ? value : "";
  };

  it("has 32 letters and digits by default", async () => {
    expect(await create({})).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(await create({ length: 512 })).toHaveLength(512);
    expect(await create({ length: 1 })).toHaveLength(1);
  });

  it.each([
    ["lowercase", /^[a-z]+$/],
    ["uppercase", /^[A-Z]+$/],
    ["letters", /^[A-Za-z]+$/],
    ["digits", /^[0-9]+$/],
    ["hexdigits", /^[0-9A-F]+$/],
    ["octdigits", /^[0-7]+$/],
  ])(
    "is drawn from the class %s only, with sequence and with character_classes",
    async (name, pattern) => {
      expect(await create({ sequence: name, length: 200 })).toMatch(pattern);
      expect(await create({ character_classes: [{ class: name }], length: 200 })).toMatch(pattern);
    },
  );

  it("refuses a sequence of a class that does not exist", async () => {
    for (const sequence of ["bogus", "constructor"]) {
      expect(await problemOf("OS::Heat::RandomString", { sequence })).toContain(
        `There is no character class "${sequence}". The classes are: lettersdigits, letters,`,
      );
    }
  });

  it("refuses a sequence beside other classes, as Heat's translation does", async () => {
    const given = { sequence: "digits", character_classes: [{ class: "letters" }] };
    await expect(problemOf("OS::Heat::RandomString", given)).rejects.toThrow(
      'Property error: resources.res.properties.character_classes[0]: Incorrect translation rule using - cannot resolve Add rule for non-list translation value "character_classes.0".',
    );
  });

  it("has at least the requested number of characters of each kind", async () => {
    const text = await create({
      length: 12,
      character_classes: [
        { class: "digits", min: 4 },
        { class: "lowercase", min: 3 },
      ],
      character_sequences: [{ sequence: "$!@", min: 5 }],
    });
    expect(text.match(/[0-9]/g)).toHaveLength(4);
    expect(text.match(/[a-z]/g)).toHaveLength(3);
    expect(text.match(/[$!@]/g)).toHaveLength(5);
  });

  it("refuses a length below the sum of the minimums", async () => {
    const given = { length: 3, character_classes: [{ class: "digits", min: 4 }] };
    expect(await problemOf("OS::Heat::RandomString", given)).toBe(
      "Length property cannot be smaller than combined character class and character sequence minimums",
    );
    expect(await problemOf("OS::Heat::RandomString", {})).toBeNull();
  });

  it("hides its attribute", async () => {
    const { attributes } = await schemaOf("OS::Heat::RandomString");
    expect(attributes).toMatchObject({ value: { hidden: true } });
  });
});

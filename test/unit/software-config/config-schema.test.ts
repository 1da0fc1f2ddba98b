import { describe, expect, it } from "vitest";
import * as z from "zod";
import {
  parseInput,
  parseInputs,
  parseOutput,
  parseOutputs,
} from "#lib/software-config/configs/config-schema.ts";
import { json, jsonObject, readShared } from "./oracle.ts";

const recorded = z.object({ in: json, heat: jsonObject });
const vectors = readShared(
  "oracles/software-config/vectors.json",
  z.object({ inputs: z.array(recorded), outputs: z.array(recorded) }),
);

const asHeat = (parse: () => unknown): unknown => {
  try {
    return parse();
  } catch (error) {
    return { raises: `ValueError: ${error instanceof Error ? error.message : ""}` };
  }
};

describe.runIf(vectors !== null)("inputs and outputs are parsed as in Heat", () => {
  it.each(vectors?.inputs ?? [])("input $in", (vector) => {
    expect(asHeat(() => parseInput(vector.in))).toEqual(vector.heat);
  });
  it.each(vectors?.outputs ?? [])("output $in", (vector) => {
    expect(asHeat(() => parseOutput(vector.in))).toEqual(vector.heat);
  });
});

describe("the schema of a config", () => {
  it("converts a default to its type, but never a value", () => {
    expect(parseInput({ name: "a", type: "Number", default: "1_000", value: "many" })).toEqual({
      name: "a",
      type: "Number",
      default: 1000,
      value: "many",
    });
    expect(parseInput({ name: "a", type: "Boolean", default: "True" }).default).toBe(true);
    expect(parseInput({ name: "a", type: "Json", default: [1] }).default).toEqual([1]);
  });

  it("keeps `replace_on_change` only if it is true", () => {
    expect(parseInput({ name: "a", replace_on_change: "false" })).toEqual({
      name: "a",
      type: "String",
    });
    expect(parseInput({ name: "a", replace_on_change: "true" }).replace_on_change).toBe(true);
  });

  it("accepts the same name twice", () => {
    expect(parseInputs([{ name: "a" }, { name: "a" }])).toHaveLength(2);
  });

  it("refuses anything but a list of maps", () => {
    expect(() => parseInputs({ name: "a" })).toThrow("must be in a list");
    expect(() => parseOutputs(["a"])).toThrow("must be a dict");
    expect(parseOutputs(undefined)).toEqual([]);
  });

  it("refuses a default that its type cannot hold", () => {
    expect(() => parseInput({ name: "a", type: "CommaDelimitedList", default: 5 })).toThrow(
      'Property error: default: "5" is not a list',
    );
    expect(() => parseInput({ name: "a", type: "String", default: ["b"] })).toThrow(
      "Property error: default: Value must be a string; got ['b']",
    );
  });
});

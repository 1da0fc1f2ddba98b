import { describe, expect, it } from "vitest";
import * as z from "zod";
import { substituteInputs } from "#lib/software-config/configs/derive-config.ts";
import { failureOf } from "#test/unit/template/failure-of.ts";
import { json, jsonObject, readShared } from "./oracle.ts";

const recorded = readShared(
  "oracles/software-config/vectors.json",
  z.object({
    structured: z.array(
      z.object({
        case: z.string(),
        input_key: z.string(),
        mode: z.string(),
        inputs: jsonObject,
        config: json,
        heat: json,
      }),
    ),
  }),
);

const raised = z.object({ raises: z.string() });

describe.runIf(recorded !== null)("inputs are substituted as in Heat", () => {
  it.each(recorded?.structured ?? [])("$case", (recording) => {
    const values = new Map(Object.entries(recording.inputs));
    const substitution = { inputKey: recording.input_key, isStrict: recording.mode === "STRICT" };
    const expected = raised.safeParse(recording.heat);
    const substitute = () => substituteInputs(recording.config, values, substitution);
    if (!expected.success) return expect(substitute()).toEqual(recording.heat);
    const { code, message } = failureOf(substitute) ?? {};
    return expect(`${code}: ${message}`).toBe(expected.data.raises);
  });
});

describe("substituting inputs", () => {
  it("does not search a substituted value again", () => {
    const values = new Map([["a", { get_input: "b" }]]);
    const substitution = { inputKey: "get_input", isStrict: true };
    expect(substituteInputs({ x: { get_input: "a" } }, values, substitution)).toEqual({
      x: { get_input: "b" },
    });
  });
});

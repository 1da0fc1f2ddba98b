import { type RequestError, validationFailed } from "#lib/errors.ts";
import { isJsonObject, type Json } from "#lib/json.ts";
import { checkCallsLater } from "./calls.ts";
import { InvalidCondition } from "./conditions.ts";
import type { Faults } from "./faults.ts";
import { buildPlace, builtOutputPlace, formatOf, outputPlace } from "./format.ts";
import { isEmpty, member } from "./json-shape.ts";
import { bindMacros } from "./macros.ts";
import { pythonText, pythonType } from "./python-text.ts";
import type { Reading } from "./resource-definitions.ts";
import type { OutputDefinition } from "./template.ts";
import { isCfn } from "./versions.ts";

const outputError = (reading: Reading, name: string, reason: string): RequestError =>
  validationFailed(`Output validation error: ${outputPlace(reading, name)}: ${reason}`);

const isOutputEnabled = (name: string, condition: Json, reading: Reading): boolean => {
  const word = formatOf(reading.version).output.condition;
  try {
    return reading.conditions.decide(condition, buildPlace(reading, "output", name, word));
  } catch (failure) {
    if (!(failure instanceof InvalidCondition)) throw failure;
    const place = outputPlace(reading, name, "condition");
    throw validationFailed(`${place}: ${failure.message}`);
  }
};

const readOutput = (name: string, source: Json, reading: Reading): OutputDefinition => {
  const { functions, conditions } = reading;
  const words = formatOf(reading.version).output;
  if (!isJsonObject(source)) {
    const found = pythonType(source);
    throw outputError(reading, name, `Output definitions must be a map. Found a ${found} instead`);
  }
  const value = member(source, words.value);
  if (value === undefined) {
    throw outputError(reading, name, `Each output definition must contain a ${words.value} key.`);
  }
  const description = pythonText(member(source, words.description) ?? "No description given");
  const condition = words.condition === null ? undefined : member(source, words.condition);
  if (condition !== undefined && !isOutputEnabled(name, condition, reading)) {
    return { name, description, value: null };
  }
  const place = buildPlace(reading, "output", name, words.value);
  const bound = bindMacros(functions, value, place, conditions);
  checkCallsLater(functions, bound, builtOutputPlace(reading, name, bound));
  return { name, description, value: bound };
};

export const readOutputs = (
  section: Json | undefined,
  reading: Reading,
  note: Faults["note"],
): ReadonlyMap<string, OutputDefinition> => {
  if (section === undefined || isEmpty(section)) return new Map();
  if (!isJsonObject(section) && isCfn(reading.version)) {
    throw validationFailed(`'${pythonType(section)}' object has no attribute 'items'`);
  }
  if (!isJsonObject(section)) {
    throw outputError(
      reading,
      "",
      `Output definitions must be a map. Found a ${pythonType(section)} instead`,
    );
  }
  const outputs = new Map<string, OutputDefinition>();
  for (const [name, value] of Object.entries(section)) {
    try {
      outputs.set(name, readOutput(name, value, reading));
    } catch (failure) {
      note(failure);
    }
  }
  return outputs;
};

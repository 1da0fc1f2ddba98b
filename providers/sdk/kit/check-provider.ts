/**
 * The contract kit: plays what can happen to a provider between calls, and reports which promises
 * it keeps. It creates real objects and removes them.
 */
import type {
  Json,
  JsonObject,
  PropertySchema,
  PropertySchemas,
  ProvidedType,
} from "../provider.ts";
import { readProvider } from "../read-provider.ts";
import { CASES, type Case, type Seen } from "./cases.ts";
import { Broken, messageOf } from "./one-call.ts";
import { Stage, type StageOptions, typeIn } from "./stage.ts";

export interface KitOptions extends StageOptions {
  /** Properties that an update can reach in place. If absent, no case changes anything. */
  readonly changed?: JsonObject | undefined;
  readonly replacement?: JsonObject | undefined;
  /** Properties with which a creation must fail. If absent, that case is not played. */
  readonly failing?: JsonObject | undefined;
  readonly moreCases?: readonly Case[] | undefined;
}

export interface CaseResult {
  readonly name: string;
  readonly verdict: "passed" | "failed" | "not played";
  readonly text: string;
  readonly calls: readonly string[];
}

const resultOf = (name: string, seen: Seen, calls: readonly string[]): CaseResult =>
  "seen" in seen
    ? { name, verdict: "passed", text: seen.seen, calls }
    : { name, verdict: "not played", text: seen.why, calls };

const playOn = async (stage: Stage, { name, play }: Case, options: KitOptions) => {
  const { properties, changed, replacement = properties, failing } = options;
  const whole = (given: JsonObject) => withDefaults(stage.type.properties, given);
  const input = {
    properties: whole(properties),
    changed: changed && whole(changed),
    replacement: whole(replacement),
    failing: failing && whole(failing),
  };
  try {
    const seen = await play(stage, input);
    return resultOf(name, seen, stage.journal);
  } catch (error) {
    return { name, verdict: "failed" as const, text: messageOf(error), calls: stage.journal };
  }
};

const cleared = async (stage: Stage, result: CaseResult): Promise<CaseResult> => {
  try {
    await stage.clear();
    return result;
  } catch (error) {
    if (result.verdict === "failed") return result;
    return { ...result, verdict: "failed", text: `its objects stay: ${messageOf(error)}` };
  }
};

const playCase = async (one: Case, options: KitOptions, turn: string): Promise<CaseResult> => {
  try {
    const stage = await Stage.open(options, turn);
    return cleared(stage, await playOn(stage, one, options));
  } catch (error) {
    return { name: one.name, verdict: "failed", text: messageOf(error), calls: [] };
  }
};

const refuseReplacing = (
  { properties: schemas }: ProvidedType,
  { properties, changed }: KitOptions,
): void => {
  if (changed === undefined) return;
  const before = withDefaults(schemas, properties);
  const after = withDefaults(schemas, changed);
  for (const [name, { updateAllowed }] of Object.entries(schemas)) {
    if (updateAllowed || JSON.stringify(before[name]) === JSON.stringify(after[name])) continue;
    throw new Broken(
      `changed.${name}: the property has no updateAllowed, so it must stay the same`,
    );
  }
};

const refuseUnplayable = async (options: KitOptions): Promise<void> => {
  const type = typeIn(await options.load(), options.type);
  if (!options.list && !type.list) {
    throw new Broken(`${options.type} has no list, so nobody can count its objects`);
  }
  refuseReplacing(type, options);
};

/** Throws NoProvider, or Broken if the kit cannot play the type. */
export const checkProvider = async (
  given: KitOptions,
  told: (result: CaseResult) => void = () => undefined,
): Promise<readonly CaseResult[]> => {
  const options = { ...given, load: async () => readProvider(await given.load()) };
  await refuseUnplayable(options);
  const run = Date.now().toString(36);
  const results: CaseResult[] = [];
  const cases = [...CASES, ...(options.moreCases ?? [])];
  for (const [at, one] of cases.entries()) {
    const result = await playCase(one, options, `${run}-${at + 1}`);
    results.push(result);
    told(result);
  }
  return results;
};

const isMap = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const filled = ({ items, schema }: PropertySchema, value: Json): Json => {
  if (items && Array.isArray(value)) return value.map((item) => filled(items, item));
  return schema && isMap(value) ? withDefaults(schema, value) : value;
};

export const withDefaults = (schemas: PropertySchemas, given: JsonObject): JsonObject => {
  const known = Object.entries(schemas).flatMap(([name, schema]): [string, Json][] => {
    const value = Object.hasOwn(given, name) ? given[name] : schema.default;
    return value === undefined ? [] : [[name, filled(schema, value)]];
  });
  return { ...given, ...Object.fromEntries(known) };
};

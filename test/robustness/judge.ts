import { RequestError } from "#lib/errors.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { STACK_VALUES_BYTES_MAX, VALUE_BYTES_MAX } from "#lib/template/functions/value-budget.ts";
import type { Input } from "./input.ts";
import { type Step, travel } from "./journey.ts";

export const STEP_CPU_MS_MAX = 1_000;
/** An answer can contain what its stack can store, and the request itself. */
const ANSWER_CHARACTERS_MAX = 2 * STACK_VALUES_BYTES_MAX;
/**
 * Errors quote the value or the part of the request that they refuse, and escapes make it longer.
 */
const ERROR_CHARACTERS_MAX = 4 * VALUE_BYTES_MAX;

export interface Verdict {
  readonly isAccepted: boolean;
  readonly fault: string | null;
  readonly slowestMs: number;
}

/** Words of JavaScript, which no error for a user may contain. */
const INTERNAL =
  /Cannot (?:read|set|convert|mix|destructure|assign|add|access)|is not a (?:function|constructor)|is not iterable|call stack|Invalid (?:array|string|count)|out of memory|\[object \w+\]|\bundefined\b|\.ts:\d+|node:internal/;
/** Heat's own words, among them those of Python. */
const HEATS =
  /an undefined or empty value|'\w+' object is not iterable|found undefined (?:alias|tag handle)/;

const errorFault = (error: unknown, inputText: () => string): string | null => {
  if (!(error instanceof RequestError)) {
    return error instanceof Error ? (error.stack ?? String(error)) : `threw ${String(error)}`;
  }
  const { status, message } = error;
  if (status < 400 || status > 499) return `status ${status}: ${message}`;
  return textFault(message, inputText);
};

const textFault = (message: string, inputText: () => string): string | null => {
  if (message.length > ERROR_CHARACTERS_MAX) {
    return `an error of ${message.length} characters: ${message.slice(0, 200)}`;
  }
  const found = INTERNAL.exec(message.replace(HEATS, ""))?.[0];
  return found === undefined || inputText().includes(found) ? null : `internal words: ${message}`;
};

const errorsIn = (answer: unknown): readonly string[] => {
  if (!Array.isArray(answer)) return [];
  return answer.flatMap((one: unknown) =>
    typeof one === "object" && one !== null && "error" in one && typeof one.error === "string"
      ? [one.error]
      : [],
  );
};

const answerFault = (answer: unknown, inputText: () => string): string | null => {
  const characters = answer === undefined ? 0 : JSON.stringify(answer).length;
  if (characters > ANSWER_CHARACTERS_MAX) return `an answer of ${characters} characters`;
  const outputs =
    typeof answer === "object" && answer !== null && "outputs" in answer ? answer.outputs : answer;
  for (const text of errorsIn(outputs)) {
    const fault = textFault(text, inputText);
    if (fault !== null) return fault;
  }
  return null;
};

const SHARED_OBJECTS = [Object, Array, Function, String, Number, Map, Set, RegExp].flatMap(
  (one) => [one, one.prototype],
);
const ORIGINAL_NAMES = new Map(
  SHARED_OBJECTS.map((shared) => [shared, new Set(Reflect.ownKeys(shared))] as const),
);

/**
 * Removes what an input has added to shared objects, so that only this input fails. @returns null
 * if it added nothing.
 */
const pollution = (): string | null => {
  const added: string[] = [];
  for (const [shared, names] of ORIGINAL_NAMES) {
    for (const name of Reflect.ownKeys(shared)) {
      if (names.has(name)) continue;
      added.push(String(name));
      Reflect.deleteProperty(shared, name);
    }
  }
  return added.length === 0 ? null : `objects that all code shares now have ${added.join(", ")}`;
};

/** An object that is frozen throws if the engine writes to it. */
const frozen = <T>(value: T): T => {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  Object.values(value).forEach(frozen);
  return value;
};

const cpuMs = (since?: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
};

const play = async (ports: Ports, input: Input): Promise<Verdict> => {
  const inputText = (): string => Object.values(input.request).map(textOf).join(" ");
  let isAccepted = true;
  let fault: string | null = null;
  let slowest = { name: "", ms: 0 };
  const note = (name: string, found: string | null): void => {
    if (found !== null) fault ??= `${name}: ${found}`;
  };
  await travel(ports, input.request, async ({ name, run }: Step) => {
    const started = process.cpuUsage();
    try {
      const answer = await run();
      const ms = cpuMs(started);
      if (ms > slowest.ms) slowest = { name, ms };
      note(name, answerFault(answer, inputText));
    } catch (error) {
      const ms = cpuMs(started);
      if (ms > slowest.ms) slowest = { name, ms };
      isAccepted = false;
      note(name, errorFault(error, inputText));
    }
  });
  if (slowest.ms > STEP_CPU_MS_MAX) {
    note(slowest.name, `takes ${Math.round(slowest.ms)} ms of processor time`);
  }
  return { isAccepted, fault, slowestMs: slowest.ms };
};

const textOf = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);

/** A busy machine can make an input slow once. An input that is slow each time fails. */
const ATTEMPTS_MAX = 3;

export const judge = async (ports: Ports, input: Input): Promise<Verdict> => {
  frozen(input);
  let verdict = await play(ports, input);
  for (let at = 1; at < ATTEMPTS_MAX && verdict.slowestMs > STEP_CPU_MS_MAX; at += 1) {
    verdict = await play(ports, input);
  }
  return { ...verdict, fault: pollution() ?? verdict.fault };
};

/** Checks what a function of a provider has answered. Errors never show a value. */
import * as z from "zod/mini";
import {
  type Action,
  type Answer,
  type Call,
  FOUND_HEALTHS,
  type ProvidedType,
} from "./provider.ts";
import { jsonObject, readValue } from "./read-value.ts";

export const ANSWER_CHARS_MAX = 1_048_576;
/** The same limit as for a template, because the code that reads a value later is recursive. */
const ANSWER_LEVELS_MAX = 200;
const SECONDS_MAX = 86_400;

/** The provider has answered something that the interface does not allow. */
export class Garbage extends Error {
  override readonly name = "Garbage";
}

export const idSchema = z.string().check(z.minLength(1), z.maxLength(1_024));
const seconds = z.optional(z.number().check(z.nonnegative(), z.maximum(SECONDS_MAX)));
const attributes = z.optional(jsonObject);

export const answerSchema = z.discriminatedUnion("state", [
  z.strictObject({ state: z.literal("finished"), physicalId: z.optional(idSchema), attributes }),
  z.strictObject({
    state: z.literal("waiting"),
    physicalId: idSchema,
    handle: z.optional(idSchema),
    pollAfterSeconds: seconds,
  }),
  z.strictObject({
    state: z.literal("failed"),
    reason: z.string(),
    physicalId: z.optional(idSchema),
    health: z.optional(z.enum(FOUND_HEALTHS)),
  }),
  z.strictObject({
    state: z.literal("throttled"),
    afterSeconds: seconds,
    reason: z.optional(z.string()),
  }),
  z.strictObject({ state: z.literal("gone") }),
  z.strictObject({ state: z.literal("replace") }),
]);

const STATES: Readonly<Record<Action, readonly Answer["state"][]>> = {
  CREATE: ["waiting"],
  UPDATE: ["waiting", "gone", "replace"],
  DELETE: ["waiting", "gone"],
  CHECK: ["gone"],
  SUSPEND: ["waiting", "gone"],
  RESUME: ["waiting", "gone"],
  SNAPSHOT: ["waiting", "gone"],
};
const ALWAYS: readonly Answer["state"][] = ["finished", "failed", "throttled"];

const nestsDeeper = (value: unknown, levels: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => nestsDeeper(inner, levels - 1)));

/** JSON.stringify refuses a circular value, in which zod would loop. */
const refuseSize = (answer: unknown): void => {
  const text = JSON.stringify(answer) ?? "";
  if (text.length > ANSWER_CHARS_MAX) {
    throw new Garbage(`it is larger than ${ANSWER_CHARS_MAX} characters`);
  }
  if (nestsDeeper(answer, ANSWER_LEVELS_MAX)) {
    throw new Garbage(`it nests more than ${ANSWER_LEVELS_MAX} levels`);
  }
};

const parse = (answer: unknown): Answer => {
  try {
    refuseSize(answer);
  } catch (error) {
    throw error instanceof Garbage
      ? error
      : new Garbage("it cannot be written as JSON", { cause: error });
  }
  const read = readValue(answerSchema, answer);
  if ("wrong" in read) throw new Garbage(read.wrong);
  return read.value;
};

/** Throws Garbage. `action` and `physicalId` are those of the call. */
export const readAnswer = (
  type: ProvidedType,
  { action, physicalId }: Pick<Call, "action" | "physicalId">,
  answer: unknown,
): Answer => {
  const read = parse(answer);
  if (!ALWAYS.includes(read.state) && !STATES[action].includes(read.state)) {
    throw new Garbage(`state: ${action} cannot answer "${read.state}"`);
  }
  if (read.state === "waiting" && !type.poll) {
    throw new Garbage('state: the type has no poll, so it cannot answer "waiting"');
  }
  if (read.state !== "finished") return read;
  if (action === "CREATE" && physicalId === null && read.physicalId === undefined) {
    throw new Garbage("physicalId: CREATE must give one");
  }
  const declared = type.attributes ?? {};
  const unknown = Object.keys(read.attributes ?? {}).find((name) => !Object.hasOwn(declared, name));
  if (unknown !== undefined) throw new Garbage(`attributes.${unknown}: the type does not have it`);
  return read;
};

import * as z from "zod/mini";
import type { Json, JsonObject } from "#lib/json.ts";
import { plainNumber } from "#lib/json-schema.ts";
import type { CheckedDefinition } from "#lib/model/checked-definition.ts";
import type { PropertySchema, PropertySchemas, Translation } from "#lib/model/property-schema.ts";
import type { Random } from "#lib/ports/ports.ts";
import type { Handler, ResourceType } from "#lib/ports/resource-type.ts";
import { physicalName } from "#lib/stack/physical-name.ts";
import { reads } from "../given-values.ts";
import { OWN_LIFECYCLE } from "../lifecycles.ts";

const LOWERCASE = "abcdefghijklmnopqrstuvwxyz";
const UPPERCASE = LOWERCASE.toUpperCase();
const DIGITS = "0123456789";

const CHARACTER_CLASSES: Readonly<Record<string, string>> = {
  lettersdigits: LOWERCASE + UPPERCASE + DIGITS,
  letters: LOWERCASE + UPPERCASE,
  lowercase: LOWERCASE,
  uppercase: UPPERCASE,
  digits: DIGITS,
  hexdigits: `${DIGITS}ABCDEF`,
  octdigits: "01234567",
};

const LENGTH_CHARS = 32;
const LENGTH_CHARS_MAX = 512;
const DEFAULT_CLASSES: Json = [{ class: "lettersdigits", min: 1 }];

const min: PropertySchema = {
  type: "integer",
  description: "The least number of characters to draw from it.",
  default: 1,
  constraints: [{ range: { min: 1, max: LENGTH_CHARS_MAX } }],
};

const classNames = { allowedValues: Object.keys(CHARACTER_CLASSES) };

const properties: PropertySchemas = {
  length: {
    type: "integer",
    description: "The number of characters.",
    default: LENGTH_CHARS,
    constraints: [{ range: { min: 1, max: LENGTH_CHARS_MAX } }],
  },
  sequence: {
    type: "string",
    description: "The class of all characters. Use character_classes instead.",
    support: {
      status: "HIDDEN",
      since: "5.0.0",
      previous: {
        status: "DEPRECATED",
        since: "2014.2",
        message: "Use property character_classes.",
      },
    },
    constraints: [classNames],
  },
  character_classes: {
    type: "list",
    description: "The character classes to draw from.",
    default: DEFAULT_CLASSES,
    items: {
      type: "map",
      schema: {
        class: {
          type: "string",
          description: "The name of the class.",
          default: "lettersdigits",
          constraints: [classNames],
        },
        min,
      },
    },
  },
  character_sequences: {
    type: "list",
    description: "Lists of characters to draw from.",
    items: {
      type: "map",
      schema: {
        sequence: { type: "string", description: "The characters.", required: true },
        min,
      },
    },
  },
  salt: {
    type: "string",
    description: "Ignored. Change it to replace the resource and get a new string.",
  },
};

const translations: readonly Translation[] = [
  {
    add: ["character_classes"],
    from: { value: (sequence) => [{ class: sequence, min: 1 }] },
    when: "sequence",
  },
  { delete: ["sequence"], when: "sequence" },
];

const propertiesSchema = z.object({
  length: z._default(plainNumber, LENGTH_CHARS),
  character_classes: z._default(z.array(z.object({ class: z.string(), min: plainNumber })), []),
  character_sequences: z._default(
    z.array(z.object({ sequence: z.string(), min: plainNumber })),
    [],
  ),
});

interface Alphabet {
  readonly characters: readonly string[];
  readonly min: number;
}

type Given = z.infer<typeof propertiesSchema>;

const alphabetsOf = ({ character_sequences, character_classes }: Given): readonly Alphabet[] => [
  ...character_sequences.map((set) => ({
    characters: Array.from(set.sequence),
    min: set.min,
  })),
  ...character_classes.map((named) => ({
    characters: Array.from(CHARACTER_CLASSES[named.class] ?? ""),
    min: named.min,
  })),
];

/** Heat does not validate translated values, so the class of a sequence is checked here. */
const emptyProblem = (given: Given): string | null => {
  const names = given.character_classes.map((named) => named.class);
  const unknown = names.find((name) => !Object.hasOwn(CHARACTER_CLASSES, name));
  if (unknown !== undefined) {
    const known = Object.keys(CHARACTER_CLASSES).join(", ");
    return `There is no character class "${unknown}". The classes are: ${known}`;
  }
  const alphabets = alphabetsOf(given);
  if (alphabets.length === 0) return "There are no characters to make a random string of";
  return alphabets.some(({ characters }) => characters.length === 0)
    ? "A character sequence must not be empty"
    : null;
};

const lengthProblem = (given: JsonObject): string | null => {
  reads(given, "character_sequences", "character_classes");
  const { character_sequences, character_classes, length } = propertiesSchema.parse(given);
  const alphabets = [...character_sequences, ...character_classes];
  const minimum = alphabets.reduce((sum, alphabet) => sum + alphabet.min, 0);
  return minimum > length
    ? "Length property cannot be smaller than combined character class and character sequence minimums"
    : null;
};

/** Heat has only the second check. */
const problemOf = (given: JsonObject): string | null =>
  emptyProblem(propertiesSchema.parse(given)) ?? lengthProblem(given);

const validate = (
  given: JsonObject,
  _name: string,
  { checksValues }: CheckedDefinition,
): string | null => (checksValues ? problemOf(given) : lengthProblem(given));

const shuffled = (random: Random, characters: readonly string[]): readonly string[] => {
  const order = [...characters];
  for (let last = order.length - 1; last > 0; last--) {
    const [moved] = order.splice(random.below(last + 1), 1);
    if (moved !== undefined) order.push(moved);
  }
  return order;
};

const draw = (random: Random, properties: JsonObject): string => {
  const given = propertiesSchema.parse(properties);
  const { length } = given;
  const alphabets = alphabetsOf(given);
  const pick = (characters: readonly string[]): string =>
    characters[random.below(characters.length)] ?? "";
  const drawn = alphabets.flatMap(({ characters, min: count }) =>
    Array.from({ length: count }, () => pick(characters)),
  );
  const all = [...new Set(alphabets.flatMap(({ characters }) => characters))];
  while (drawn.length < length) drawn.push(pick(all));
  return shuffled(random, drawn).join("");
};

const create =
  (random: Random): Handler =>
  async (call, { ids }) => {
    const problem = problemOf(call.properties);
    if (problem !== null) {
      return { state: "failed", reason: problem, errorType: "StackValidationFailed" };
    }
    const value = draw(random, call.properties);
    const physicalResourceId = physicalName(call, ids.derive(call.token));
    return { state: "finished", physicalResourceId, attributes: { value }, refId: value };
  };

/**
 * The string comes from the data of the former stack; without it the resource cannot be adopted.
 */
const handleAdopt: Handler = async ({ adopted }) => {
  const physicalResourceId = adopted?.physicalResourceId;
  if (!physicalResourceId) {
    return { state: "failed", reason: "Resource ID was not provided.", errorType: "Exception" };
  }
  const value = adopted.resourceData["value"];
  if (typeof value !== "string") return { state: "finished", physicalResourceId, attributes: {} };
  return { state: "finished", physicalResourceId, attributes: { value }, refId: value };
};

export const randomString = (random: Random): ResourceType => ({
  type: "OS::Heat::RandomString",
  schema: {
    description: "Makes a random string once, for passwords and other secrets.",
    support: { since: "2014.1" },
    properties,
    translations,
    attributes: { value: { description: "The string.", type: "string", hidden: true } },
    readWhenMade: ["sequence"],
    validate,
  },
  lifecycle: {
    ...OWN_LIFECYCLE,
    handleCreate: create(random),
    handleUpdate: async () => ({ state: "finished" }),
    handleDelete: async () => ({ state: "finished", physicalResourceId: null }),
  },
  adoption: { handleAdopt },
});

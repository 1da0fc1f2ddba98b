/**
 * Checks a request against AWS's own models: members, lengths, ranges, patterns and enums.
 * extract.py makes models.json from them.
 */
import { readFileSync } from "node:fs";
import * as z from "zod";

const bounds = {
  min: z.number().optional(),
  max: z.number().optional(),
  pattern: z
    .string()
    .transform((text) => new RegExp(`^(?:${text})$`, "u"))
    .optional(),
  enum: z.array(z.string()).optional(),
};
const shape = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("structure"),
    required: z.array(z.string()),
    members: z.record(z.string(), z.string()),
  }),
  z.object({ type: z.literal("list"), of: z.string(), ...bounds }),
  z.object({ type: z.literal("map"), key: z.string(), of: z.string(), ...bounds }),
  z.object({
    type: z.enum(["string", "blob", "integer", "long", "boolean", "timestamp", "double"]),
    ...bounds,
  }),
]);
type Shape = z.infer<typeof shape>;
type Of<Type extends Shape["type"]> = Extract<Shape, { readonly type: Type }>;

const { inputs, shapes } = z
  .object({
    inputs: z.record(z.string(), z.string()),
    shapes: z.record(z.string(), shape),
  })
  .parse(JSON.parse(readFileSync(new URL("models.json", import.meta.url), "utf8")));

const object = z.record(z.string(), z.unknown());

const ACCEPTED = {
  string: z.string(),
  blob: z.union([z.string(), z.instanceof(Uint8Array)]),
  integer: z.int(),
  long: z.int(),
  boolean: z.boolean(),
  timestamp: z.date(),
  double: z.number(),
} as const;

const sizeProblems = (
  size: number,
  {
    min = -Infinity,
    max = Infinity,
  }: { readonly min?: number | undefined; readonly max?: number | undefined },
  what: string,
): readonly string[] =>
  size < min || size > max ? [`${what} of ${size}, and ${min} to ${max} are allowed`] : [];

const structureProblems = ({ required, members }: Of<"structure">, value: unknown) => {
  const { data } = object.safeParse(value);
  if (data === undefined) return ["is no structure"];
  return [
    ...required.filter((name) => data[name] === undefined).map((name) => `.${name} is required`),
    ...Object.entries(data).flatMap(([name, inner]) => {
      const of = members[name];
      if (of === undefined) return [`.${name} is unknown`];
      return inner === undefined ? [] : problemsIn(of, inner).map((what) => `.${name}${what}`);
    }),
  ];
};

const listProblems = (rule: Of<"list">, value: unknown): readonly string[] => {
  if (!Array.isArray(value)) return ["is no list"];
  return [
    ...sizeProblems(value.length, rule, " is a list"),
    ...value.flatMap((inner) => problemsIn(rule.of, inner).map((what) => `[]${what}`)),
  ];
};

const mapProblems = (rule: Of<"map">, value: unknown): readonly string[] => {
  const { data } = object.safeParse(value);
  if (data === undefined) return ["is no map"];
  return [
    ...sizeProblems(Object.keys(data).length, rule, " is a map"),
    ...Object.entries(data).flatMap(([name, inner]) => [
      ...problemsIn(rule.key, name).map((what) => `{${name.slice(0, 40)}}${what}`),
      ...problemsIn(rule.of, inner).map((what) => `{}${what}`),
    ]),
  ];
};

const valueProblems = (
  rule: Exclude<Shape, Of<"structure" | "list" | "map">>,
  value: unknown,
): readonly string[] => {
  if (!ACCEPTED[rule.type].safeParse(value).success) return [` is no ${rule.type}`];
  if (typeof value === "number") return sizeProblems(value, rule, " is a number");
  if (typeof value !== "string") return [];
  return [
    ...sizeProblems(value.length, rule, " is a text"),
    ...(rule.pattern === undefined || rule.pattern.test(value) ? [] : [" breaks its pattern"]),
    ...(rule.enum === undefined || rule.enum.includes(value) ? [] : [` may not be ${value}`]),
  ];
};

const problemsIn = (name: string, value: unknown): readonly string[] => {
  const rule = shapes[name];
  if (rule === undefined) return [` has an unknown shape ${name}`];
  switch (rule.type) {
    case "structure":
      return structureProblems(rule, value);
    case "list":
      return listProblems(rule, value);
    case "map":
      return mapProblems(rule, value);
    default:
      return valueProblems(rule, value);
  }
};

/** `operation` looks like `dynamodb PutItem`. */
export const modelProblems = (operation: string, input: unknown): readonly string[] => {
  const name = inputs[operation];
  if (name === undefined) return [" is not in models.json: see extract.py"];
  return problemsIn(name, input);
};

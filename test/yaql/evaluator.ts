/**
 * Evaluates one expression for each line of its input, for `upstream-tests.py`. Values are tagged,
 * because JSON has only string keys, and not Python's kinds of numbers.
 */
import { createInterface } from "node:readline";
import * as z from "zod";
import { Context } from "#lib/yaql/definition.ts";
import { type Limits, membersOf } from "#lib/yaql/engine.ts";
import { dictionaryOf, setOf } from "#lib/yaql/equality.ts";
import { YaqlError } from "#lib/yaql/errors.ts";
import { ABSENT } from "#lib/yaql/syntax.ts";
import { Dictionary, Sequence, Stream, typeOf, type Value } from "#lib/yaql/values.ts";
import { engineOf, LIBRARY, parse } from "#lib/yaql/yaql.ts";

type Marked =
  | null
  | boolean
  | string
  | { readonly int: string }
  | { readonly float: string }
  | { readonly list: readonly Marked[] }
  | { readonly stream: readonly Marked[] }
  | { readonly set: readonly Marked[] }
  | { readonly dict: readonly (readonly [Marked, Marked])[] };

const Marked: z.ZodType<Marked> = z.lazy(() =>
  z.union([
    z.null(),
    z.boolean(),
    z.string(),
    z.strictObject({ int: z.string() }),
    z.strictObject({ float: z.string() }),
    z.strictObject({ list: z.array(Marked) }),
    z.strictObject({ stream: z.array(Marked) }),
    z.strictObject({ set: z.array(Marked) }),
    z.strictObject({ dict: z.array(z.tuple([Marked, Marked])) }),
  ]),
);
const Line = z.object({
  expression: z.string(),
  variables: z.array(z.tuple([z.string(), Marked])),
  iterations: z.number(),
  memory: z.number(),
});

const valueOfMarked = (marked: Marked): Value => {
  if (marked === null || typeof marked !== "object") return marked;
  if ("int" in marked) return BigInt(marked.int);
  if ("float" in marked) return Number(marked.float);
  if ("list" in marked) return new Sequence(marked.list.map(valueOfMarked));
  if ("stream" in marked) return new Stream(marked.stream.map(valueOfMarked));
  if ("set" in marked) return setOf(marked.set.map(valueOfMarked));
  return dictionaryOf(
    marked.dict.map(([key, value]) => [valueOfMarked(key), valueOfMarked(value)] as const),
  );
};

const markedOf = (limits: Limits, value: Value): Marked => {
  if (value === null || typeof value === "boolean" || typeof value === "string") return value;
  if (typeof value === "bigint") return { int: String(value) };
  if (typeof value === "number") return { float: String(value) };
  const members = membersOf(limits, value);
  if (members === null) throw new YaqlError("unsupported", `a result of type ${typeOf(value)}`);
  if (!(value instanceof Dictionary)) {
    return { list: Array.from(members, (member) => markedOf(limits, member)) };
  }
  const entries = [...value.entries.values()];
  return { dict: entries.map(([key, item]) => [markedOf(limits, key), markedOf(limits, item)]) };
};

const answerTo = (text: string) => {
  const line = Line.parse(JSON.parse(text));
  const limits: Limits = {
    iterationsMax: line.iterations < 0 ? Number.POSITIVE_INFINITY : line.iterations,
    memoryBytesMax: line.memory <= 0 ? Number.POSITIVE_INFINITY : line.memory,
    spend: () => {},
    random: Math.random,
    setsMayHoldLists: true,
  };
  const context = new Context(LIBRARY);
  for (const [name, marked] of line.variables) context.set(name, valueOfMarked(marked));
  try {
    const value = engineOf(limits).evaluate(parse(line.expression), ABSENT, context);
    return { value: markedOf(limits, value) };
  } catch (failure) {
    if (!(failure instanceof YaqlError)) throw failure;
    return { kind: failure.kind, message: failure.message };
  }
};

for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(answerTo(line)));
}

import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import { refused } from "./refusals.ts";
import { Tokens } from "./tokens.ts";
import { compareValues, containsValue, type Item } from "./values.ts";

export interface Bound {
  readonly names: Readonly<Record<string, string>>;
  readonly values: Item;
}

export interface Compiled<Run> {
  readonly run: Run;
  readonly placeholders: ReadonlySet<string>;
}

export type Condition = (item: Item, bound: Bound) => boolean;
type Operand = (item: Item, bound: Bound) => AttributeValue | undefined;

/** Conditions contain predecessors' numbers, so their number has no limit. */
const COMPILED_MAX = 10_000;

export const compiledOnce = <Run>(compile: (tokens: Tokens) => Run) => {
  const known = new Map<string, Compiled<Run>>();
  return (text: string): Compiled<Run> => {
    const found = known.get(text);
    if (found !== undefined) return found;
    const tokens = new Tokens(text);
    const run = compile(tokens);
    if (tokens.next !== "") throw refused(`${tokens.next} is left over in ${text}`);
    const compiled = { run, placeholders: tokens.placeholders };
    if (known.size >= COMPILED_MAX) known.clear();
    known.set(text, compiled);
    return compiled;
  };
};

export const boundName = (word: string, { names }: Bound): string => {
  const name = word.startsWith("#") ? names[word] : word;
  if (name === undefined) throw refused(`${word} is not bound`);
  return name;
};

export const boundValue = (word: string, { values }: Bound): AttributeValue => {
  const value = values[word];
  if (value === undefined) throw refused(`${word} is not bound`);
  return value;
};

const path = (tokens: Tokens): Operand => {
  const words = [tokens.take()];
  while (tokens.took(".")) words.push(tokens.take());
  const [first = "", ...inner] = words;
  if (inner.length === 0) return (item, bound) => item[boundName(first, bound)];
  return (item, bound) =>
    inner.reduce<AttributeValue | undefined>(
      (value, word) => value?.M?.[boundName(word, bound)],
      item[boundName(first, bound)],
    );
};

const operand = (tokens: Tokens): Operand => {
  if (!tokens.next.startsWith(":")) return path(tokens);
  const word = tokens.take();
  return (_, bound) => boundValue(word, bound);
};

const OPERATORS: Readonly<Record<string, (order: number) => boolean>> = {
  "=": (order) => order === 0,
  "<": (order) => order < 0,
  "<=": (order) => order <= 0,
  ">": (order) => order > 0,
  ">=": (order) => order >= 0,
};

const comparison = (tokens: Tokens): Condition => {
  const left = operand(tokens);
  const word = tokens.take();
  const right = operand(tokens);
  const holds = OPERATORS[word];
  if (holds === undefined) throw refused(`${word} is not known here`);
  return (item, bound) => {
    const [one, other] = [left(item, bound), right(item, bound)];
    if (one === undefined || other === undefined) return false;
    const order = compareValues(one, other);
    return order !== null && holds(order);
  };
};

const contains = (tokens: Tokens): Condition => {
  const whole = path(tokens);
  tokens.expect(",");
  const part = operand(tokens);
  return (item, bound) => {
    const [set, one] = [whole(item, bound), part(item, bound)];
    return set !== undefined && one !== undefined && containsValue(set, one);
  };
};

const existing = (tokens: Tokens): Condition => {
  const attribute = path(tokens);
  return (item, bound) => attribute(item, bound) !== undefined;
};

const negated =
  (inner: Condition): Condition =>
  (item, bound) =>
    !inner(item, bound);

const called = (tokens: Tokens, body: (tokens: Tokens) => Condition): Condition => {
  tokens.expect("(");
  const condition = body(tokens);
  tokens.expect(")");
  return condition;
};

const factor = (tokens: Tokens): Condition => {
  if (tokens.took("NOT")) return negated(factor(tokens));
  if (tokens.took("attribute_exists")) return called(tokens, existing);
  if (tokens.took("attribute_not_exists")) return negated(called(tokens, existing));
  if (tokens.took("contains")) return called(tokens, contains);
  return tokens.next === "(" ? called(tokens, either) : comparison(tokens);
};

const both = (tokens: Tokens): Condition => {
  const parts = [factor(tokens)];
  while (tokens.took("AND")) parts.push(factor(tokens));
  return (item, bound) => parts.every((part) => part(item, bound));
};

const either = (tokens: Tokens): Condition => {
  const parts = [both(tokens)];
  while (tokens.took("OR")) parts.push(both(tokens));
  return (item, bound) => parts.some((part) => part(item, bound));
};

export const condition = compiledOnce(either);

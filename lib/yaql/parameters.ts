/** The types of parameters. They are yaql's, so the same overloads are chosen. */
import {
  type CallSite,
  Context,
  type Parameter,
  type ParameterType,
  type PythonClass,
} from "./definition.ts";
import { type Argument, limited, limitMemory } from "./engine.ts";
import { YaqlError } from "./errors.ts";
import type { Numeric } from "./numbers.ts";
import {
  ABSENT,
  Absent,
  Constant,
  type Expression,
  FunctionCall,
  Keyword,
  Rule,
  SyntaxNode,
} from "./syntax.ts";
import {
  type Collection,
  Dictionary,
  isIterator,
  isMany,
  isSet,
  type Many,
  Ordering,
  Pair,
  type Recording,
  Regex,
  Sequence,
  type Stream,
  type Value,
} from "./values.ts";

const isExpression = (argument: Argument): argument is Expression => argument instanceof SyntaxNode;

const isLiteral = (argument: Argument): argument is Constant | Keyword =>
  argument instanceof Constant || argument instanceof Keyword;

const wrongArgument = (): YaqlError => new YaqlError("argument", "Invalid argument");

type Read<Converted> = (value: Value) => Converted | undefined;

const typed = <Converted>(
  pythonClass: PythonClass | null,
  read: Read<Converted>,
): ParameterType<Converted> => ({
  isLazy: false,
  pythonClass,
  accepts: (argument) => {
    if (isLiteral(argument)) return read(argument.value) !== undefined;
    if (argument instanceof Absent) return false;
    return isExpression(argument) || read(argument) !== undefined;
  },
  convert: (argument, { engine }) => {
    const value = isLiteral(argument) ? argument.value : argument;
    if (value instanceof Absent || isExpression(value)) throw wrongArgument();
    const converted = read(value);
    if (converted === undefined) throw wrongArgument();
    limitMemory(engine, value);
    return converted;
  },
});

const one = <Converted>(name: string, type: ParameterType<Converted>): Parameter<Converted> => ({
  name,
  type,
  isOptional: false,
  form: "one",
});

const parameterOf =
  <Converted>(pythonClass: PythonClass | null, read: Read<Converted>) =>
  (name: string): Parameter<Converted> =>
    one(name, typed(pythonClass, read));

export const anything = parameterOf<Value>("object", (value) => value);
export const notNull = parameterOf<Value>("object", (value) => value ?? undefined);
export const onlyNull = parameterOf<null>("null", (value) => (value === null ? null : undefined));
/** For a type of yaql that no value has here. */
export const nothing = parameterOf<Value>(null, () => undefined);
export const text = parameterOf("str", (value) => (typeof value === "string" ? value : undefined));
/** In Python, a bool is an int. */
export const integer = parameterOf("int", (value) => {
  if (typeof value === "boolean") return BigInt(value);
  return typeof value === "bigint" ? value : undefined;
});
export const flag = parameterOf("bool", (value) =>
  typeof value === "boolean" ? value : undefined,
);
export const number = parameterOf<Numeric>(null, (value) =>
  typeof value === "bigint" || typeof value === "number" ? value : undefined,
);
const instanceOf = <Instance extends Value>(
  pythonClass: PythonClass,
  kind: new (...args: never[]) => Instance,
) => parameterOf<Instance>(pythonClass, (value) => (value instanceof kind ? value : undefined));

export const sequence = instanceOf("sequence", Sequence);
export const dictionary = instanceOf("mapping", Dictionary);
export const ordering = instanceOf("ordering", Ordering);
export const pair = instanceOf("rule", Pair);
export const regex = instanceOf("regex", Regex);
export const contextValue = instanceOf("context", Context);
export const set = parameterOf<Collection>("set", (value) => (isSet(value) ? value : undefined));
export const iterator = parameterOf<Stream | Recording>("iterator", (value) =>
  isIterator(value) ? value : undefined,
);

const counted =
  (read: Read<Many>) =>
  (name: string): Parameter<Many> => {
    const type = typed("iterable", read);
    const convert = (argument: Argument, call: CallSite): Many =>
      limited(call.engine, type.convert(argument, call));
    return one(name, { ...type, convert });
  };

export const many = counted((value) => (isMany(value) ? value : undefined));
export const manyButNoSet = counted((value) =>
  isMany(value) && !isSet(value) ? value : undefined,
);

export const nullable = <Converted>({
  type,
  ...parameter
}: Parameter<Converted>): Parameter<Converted | null> => {
  const isNull = (argument: Argument): boolean =>
    argument === null || (argument instanceof Constant && argument.value === null);
  return {
    ...parameter,
    type: {
      ...type,
      accepts: (argument) => isNull(argument) || type.accepts(argument),
      convert: (argument, call) => (isNull(argument) ? null : type.convert(argument, call)),
    },
  };
};

export const optional = <Converted>({
  type,
  ...parameter
}: Parameter<Converted>): Parameter<Converted | undefined> => ({
  ...parameter,
  isOptional: true,
  type: {
    ...type,
    accepts: (argument) => type.accepts(argument),
    convert: (argument, call) =>
      argument instanceof Absent ? undefined : type.convert(argument, call),
  },
});

export const rest = <Converted>(parameter: Parameter<Converted>): Parameter<Converted> => ({
  ...parameter,
  form: "rest",
});

export const named = <Converted>(parameter: Parameter<Converted>): Parameter<Converted> => ({
  ...parameter,
  form: "named",
});

const evaluateIn = (
  argument: Argument,
  { engine }: CallSite,
  receiver: Value | Absent,
  context: Context,
): Value => {
  if (argument instanceof Absent) throw wrongArgument();
  return isExpression(argument) ? engine.evaluate(argument, receiver, context) : argument;
};

export type Lambda = (...args: readonly Value[]) => Value;

const lazy =
  <Converted>(
    convert: (argument: Argument, call: CallSite) => Converted,
    accepts: (argument: Argument) => boolean = () => true,
  ) =>
  (name: string): Parameter<Converted> =>
    one(name, { isLazy: true, pythonClass: null, accepts, convert });

const publish = (context: Context, args: readonly Value[]): Context => {
  args.forEach((value, index) => {
    context.set(String(index + 1), value);
  });
  return context;
};

export const lambda = lazy<Lambda>(
  (argument, call) =>
    (...args) =>
      evaluateIn(argument, call, ABSENT, publish(new Context(call.context), args)),
);

type NamedValues = readonly (readonly [string, Value])[];

export const lambdaOfNames = lazy<(args: readonly Value[], namedValues: NamedValues) => Value>(
  (argument, call) => (args, namedValues) => {
    const context = publish(new Context(call.context), args);
    for (const [key, value] of namedValues) context.set(key, value);
    return evaluateIn(argument, call, ABSENT, context);
  },
);

export const lambdaIn = lazy<(context: Context) => Value>(
  (argument, call) => (context) => evaluateIn(argument, call, ABSENT, context),
);

export const methodCall = lazy<(receiver: Value) => Value>(
  (argument, call) => (receiver) => evaluateIn(argument, call, receiver, new Context(call.context)),
  (argument) => !isExpression(argument) || (argument instanceof FunctionCall && argument.isWritten),
);

export const expression = lazy<Expression>((argument) => {
  if (isExpression(argument)) return argument;
  throw wrongArgument();
}, isExpression);

interface LazyRule {
  readonly source: () => Value;
  readonly destination: () => Value;
}

/** `a => b`, neither side of which is evaluated yet. */
export const rule = lazy<LazyRule>(
  (argument, call) => {
    if (!(argument instanceof Rule)) throw wrongArgument();
    const evaluate = (side: Expression) => () =>
      call.engine.evaluate(side, call.receiver, call.context);
    return { source: evaluate(argument.source), destination: evaluate(argument.destination) };
  },
  (argument) => argument instanceof Rule,
);

export const keyword = (name: string): Parameter<Keyword> =>
  one(name, {
    isLazy: false,
    pythonClass: null,
    accepts: (argument) => argument instanceof Keyword,
    convert: (argument) => {
      if (argument instanceof Keyword) return argument;
      throw wrongArgument();
    },
  });

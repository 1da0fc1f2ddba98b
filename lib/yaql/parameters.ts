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
export const sequence = parameterOf("sequence", (value) =>
  value instanceof Sequence ? value : undefined,
);
export const set = parameterOf<Collection>("set", (value) => (isSet(value) ? value : undefined));
export const dictionary = parameterOf("mapping", (value) =>
  value instanceof Dictionary ? value : undefined,
);
export const iterator = parameterOf<Stream | Recording>("iterator", (value) =>
  isIterator(value) ? value : undefined,
);
export const ordering = parameterOf("ordering", (value) =>
  value instanceof Ordering ? value : undefined,
);
export const pair = parameterOf("rule", (value) => (value instanceof Pair ? value : undefined));
export const regex = parameterOf("regex", (value) => (value instanceof Regex ? value : undefined));
export const contextValue = parameterOf("context", (value) =>
  value instanceof Context ? value : undefined,
);

const counting = (type: ParameterType<Many>): ParameterType<Many> => ({
  ...type,
  convert: (argument, call) => limited(call.engine, type.convert(argument, call)),
});

export const many = (name: string): Parameter<Many> =>
  one(name, counting(typed<Many>("iterable", (value) => (isMany(value) ? value : undefined))));

export const manyButNoSet = (name: string): Parameter<Many> =>
  one(
    name,
    counting(
      typed<Many>("iterable", (value) => (isMany(value) && !isSet(value) ? value : undefined)),
    ),
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

const lazy = <Converted>(
  convert: (argument: Argument, call: CallSite) => Converted,
  accepts: (argument: Argument) => boolean = () => true,
): ParameterType<Converted> => ({ isLazy: true, pythonClass: null, accepts, convert });

const publish = (context: Context, args: readonly Value[]): Context => {
  args.forEach((value, index) => {
    context.set(String(index + 1), value);
  });
  return context;
};

const NO_RECEIVER = new Absent();

export const lambda = (name: string): Parameter<Lambda> =>
  one(
    name,
    lazy(
      (argument, call) =>
        (...args) =>
          evaluateIn(argument, call, NO_RECEIVER, publish(new Context(call.context), args)),
    ),
  );

export type NamedValues = readonly (readonly [string, Value])[];

export const lambdaOfNames = (
  name: string,
): Parameter<(args: readonly Value[], namedValues: NamedValues) => Value> =>
  one(
    name,
    lazy((argument, call) => (args, namedValues) => {
      const context = publish(new Context(call.context), args);
      for (const [key, value] of namedValues) context.set(key, value);
      return evaluateIn(argument, call, NO_RECEIVER, context);
    }),
  );

export const lambdaIn = (name: string): Parameter<(context: Context) => Value> =>
  one(
    name,
    lazy((argument, call) => (context) => evaluateIn(argument, call, NO_RECEIVER, context)),
  );

export const methodCall = (name: string): Parameter<(receiver: Value) => Value> =>
  one(
    name,
    lazy(
      (argument, call) => (receiver) =>
        evaluateIn(argument, call, receiver, new Context(call.context)),
      (argument) =>
        !isExpression(argument) || (argument instanceof FunctionCall && argument.isWritten),
    ),
  );

export const expression = (name: string): Parameter<Expression> =>
  one(
    name,
    lazy((argument) => {
      if (isExpression(argument)) return argument;
      throw wrongArgument();
    }, isExpression),
  );

export interface LazyRule {
  readonly source: () => Value;
  readonly destination: () => Value;
}

/** `a => b`, neither side of which is evaluated yet. */
export const rule = (name: string): Parameter<LazyRule> =>
  one(
    name,
    lazy(
      (argument, call) => {
        if (!(argument instanceof Rule)) throw wrongArgument();
        const evaluate = (side: Expression) => () =>
          call.engine.evaluate(side, call.receiver, call.context);
        return { source: evaluate(argument.source), destination: evaluate(argument.destination) };
      },
      (argument) => argument instanceof Rule,
    ),
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

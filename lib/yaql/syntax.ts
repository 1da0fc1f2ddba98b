/** The syntax tree. Each operator is a call of a function with a reserved name. */

/** Positions count UTF-16 units of the expression from 0. */
export abstract class SyntaxNode {
  readonly position: number;
  constructor(position: number) {
    this.position = position;
  }
}

export type Literal = null | boolean | bigint | number | string;

export class Constant extends SyntaxNode {
  readonly value: Literal;
  constructor(position: number, value: Literal) {
    super(position);
    this.value = value;
  }
}

export class Keyword extends SyntaxNode {
  readonly value: string;
  constructor(position: number, value: string) {
    super(position);
    this.value = value;
  }
}

export class Variable extends SyntaxNode {
  readonly variable: string;
  constructor(position: number, variable: string) {
    super(position);
    this.variable = variable;
  }
}

/** An expression in parentheses. Unlike a call, it cannot follow a dot as a method. */
export class Parenthesized extends SyntaxNode {
  readonly inner: Expression;
  constructor(position: number, inner: Expression) {
    super(position);
    this.inner = inner;
  }
}

export class Rule extends SyntaxNode {
  readonly source: Expression;
  readonly destination: Expression;
  constructor(position: number, source: Expression, destination: Expression) {
    super(position);
    this.source = source;
    this.destination = destination;
  }
}

/** An argument that is left out, such as the first one in `f(, 1)`. */
export class Absent {
  readonly absent = true;
}
export const ABSENT = new Absent();

export class FunctionCall extends SyntaxNode {
  readonly callee: string;
  readonly args: readonly (Expression | Absent)[];
  /** Whether the source writes it as a call, so that it may follow a dot as a method. */
  readonly isWritten: boolean;
  constructor(
    position: number,
    callee: string,
    args: readonly (Expression | Absent)[],
    isWritten: boolean,
  ) {
    super(position);
    this.callee = callee;
    this.args = args;
    this.isWritten = isWritten;
  }
}

export type Expression = Constant | Keyword | Variable | Parenthesized | Rule | FunctionCall;

const partsOf = (expression: Expression): readonly (Expression | Absent)[] => {
  if (expression instanceof Parenthesized) return [expression.inner];
  if (expression instanceof Rule) return [expression.source, expression.destination];
  return expression instanceof FunctionCall ? expression.args : [];
};

/** Not recursive, because a chain of operators can be too deep for the stack. */
export const visitExpression = (
  expression: Expression,
  visit: (expression: Expression) => void,
): void => {
  const pending: (Expression | Absent)[] = [expression];
  for (let part = pending.pop(); part !== undefined; part = pending.pop()) {
    if (part instanceof Absent) continue;
    visit(part);
    pending.push(...partsOf(part).toReversed());
  }
};

import { isDeepStrictEqual } from "node:util";

/** What checkers and cases throw when the engine breaks a rule. */
export class Violation extends Error {
  override readonly name = "Violation";
}

export const expectThat = (holds: boolean, otherwise: string): void => {
  if (!holds) throw new Violation(otherwise);
};

export const expectEqual = <Value>(what: string, actual: Value, expected: NoInfer<Value>): void => {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Violation(`${what}: ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
};

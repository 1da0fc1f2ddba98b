/**
 * What happens with a wrong unit, such as a resource or an output. Heat reports only the first one.
 * An author wants all that do not depend on each other.
 */
import { RequestError, SeveralErrors } from "#lib/errors.ts";

export interface Faults {
  /** Keeps the error of a unit, or throws it at once. */
  readonly note: (failure: unknown) => void;
  /** Throws the kept errors. The next step needs units without errors. */
  readonly settle: () => void;
}

export const FIRST_FAULT: Faults = {
  note: (failure) => {
    throw failure;
  },
  settle: () => {},
};

/**
 * @limit errors of a template in one answer
 * @beyond the others are left out
 */
const FAULTS_MAX = 500;

const endsAll = (failure: RequestError): boolean => failure.code === "RequestLimitExceeded";

export const allFaults = (): Faults => {
  const kept: RequestError[] = [];
  const settle = (): void => {
    const [first, ...others] = kept.splice(0);
    if (first !== undefined) throw others.length === 0 ? first : new SeveralErrors(first, others);
  };
  return {
    note: (failure) => {
      if (!(failure instanceof RequestError)) throw failure;
      if (endsAll(failure) && kept.length === 0) throw failure;
      if (!endsAll(failure)) kept.push(failure);
      if (endsAll(failure) || kept.length >= FAULTS_MAX) settle();
    },
    settle,
  };
};

/**
 * What becomes of a wrong unit, such as a resource or an output. Heat tells the first one only.
 * An author wants to know all of those that do not depend on each other.
 */
import { RequestError, SeveralErrors } from "#lib/errors.ts";

export interface Faults {
  /** Keeps the error of a unit, or throws it. */
  readonly note: (failure: unknown) => void;
  /** Throws what was kept: the next step needs units that are right. */
  readonly settle: () => void;
}

export const FIRST_FAULT: Faults = {
  note: (failure) => {
    throw failure;
  },
  settle: () => {},
};

/**
 * More would be a long answer, and a long list for a person.
 * @limit errors of a template in one answer
 * @beyond the others are left out
 */
const FAULTS_MAX = 500;

/** What was too much for one unit is too much for the others. */
const endsAll = (failure: RequestError): boolean => failure.code === "RequestLimitExceeded";

/** Keeps all of one request. */
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

/**
 * What happens with a wrong unit, such as a resource or an output. Heat reports only the first one.
 * An author wants all that do not depend on each other.
 */
import { LRUCache } from "lru-cache";
import { RequestError, SeveralErrors, validationFailed } from "#lib/errors.ts";
import { OWN_REGION } from "#lib/model/stack.ts";
import { formatOf, placeIn, type Versioned } from "./format.ts";

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

export const refusal = (code: string, message: string): RequestError =>
  new RequestError(code, 400, message);

export const unlessRefused = <T>(read: () => T): T | null => {
  try {
    return read();
  } catch (failure) {
    if (failure instanceof RequestError) return null;
    throw failure;
  }
};

const CHECKED_CHARACTERS_MAX = 4 * 1_024 * 1_024;

/**
 * Remembers the fault of each text, which is "" for a right one. YAML aliases can repeat a text
 * thousands of times.
 */
export const rememberingFaults = (faultOf: (text: string) => string) => {
  const checked = new LRUCache<string, string>({
    maxSize: CHECKED_CHARACTERS_MAX,
    sizeCalculation: (fault, text) => fault.length + text.length + 1,
  });
  return (text: string): string | null => {
    const fault = checked.get(text) ?? faultOf(text);
    checked.set(text, fault);
    return fault === "" ? null : fault;
  };
};

/**
 * Matches an optional title and the place, such as `Property error: resources.r.…`. The error of a
 * type's own validation has its place without the section.
 */
const PLACED =
  /^((?:[^.:]+: )*(?<=resource validation error: )|(?:[^.:]+: )*(?=(?:resources|outputs|parameters)[.[]))(.*)$/is;

export const nestedPlace = (
  { version }: Versioned,
  resourceName: string,
  templateName: string | null,
): string => {
  const file = templateName === null ? "" : `<${templateName}>`;
  return placeIn(formatOf(version).sections.resources, resourceName + file);
};

/** Heat makes it a StackValidationFailed, with the class of another error as its title. */
export const nestedError = (error: unknown, place: string): RequestError => {
  if (!(error instanceof RequestError)) throw error;
  const { code, message } = error;
  const [, title = "", rest] = PLACED.exec(message) ?? [];
  if (rest !== undefined) {
    const inner = rest.startsWith("[") ? rest : `.${rest}`;
    return validationFailed(`${title}${place}${inner}`);
  }
  const own = code === "StackValidationFailed" ? "" : `${code}: `;
  return validationFailed(`${own}${place}: ${message}`);
};

/**
 * For a template in another region, Heat reports the other Heat's answer without a place. If it
 * cannot read the template first, it uses the same words. `isAnswer`: the other Heat was asked.
 */
export const remoteError = (error: unknown, isAnswer: boolean): RequestError => {
  if (!(error instanceof RequestError)) throw error;
  const asked = `Failed validating stack template using Heat endpoint at region "${OWN_REGION}"`;
  return validationFailed(`${asked} due to "${isAnswer ? "ERROR: " : ""}${error.message}"`);
};

import { RequestError, validationFailed } from "#lib/errors.ts";
import { OWN_REGION } from "#lib/model/stack.ts";
import { formatOf, placeIn, type Versioned } from "./format.ts";

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

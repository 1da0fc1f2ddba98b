/** Errors of a nested template, told from the stack above it: Heat puts `resources.<name><<template>>` in front. */
import { RequestError, validationFailed } from "#lib/errors.ts";

/** `Property error: resources.r.…`: a title that may be absent, then the place. */
const PLACED = /^((?:[^.:]+: )*)((?:resources|outputs|parameters)\..*)$/s;

/** Heat makes a StackValidationFailed of it; what was another error keeps the name of its class as its title. */
export const nestedError = (
  error: unknown,
  resourceName: string,
  templateName: string | null,
): RequestError => {
  if (!(error instanceof RequestError)) throw error;
  const place = `resources.${resourceName}${templateName === null ? "" : `<${templateName}>`}`;
  const { code, message } = error;
  const [, title = "", rest] = PLACED.exec(message) ?? [];
  if (rest !== undefined) return validationFailed(`${title}${place}.${rest}`);
  const own = code === "StackValidationFailed" ? "" : `${code}: `;
  return validationFailed(`${own}${place}: ${message}`);
};

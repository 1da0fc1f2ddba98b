/** For programs that show a template's values before the engine has seen them. */
import type { JsonObject } from "#lib/json.ts";
import { hiddenParameterNames } from "#lib/template/parameters.ts";
import { parseTemplate } from "#lib/template/parse.ts";

/** The parameters that Heat calls hidden. Throws for a template that is none. */
export const hiddenParametersOf = (template: JsonObject): ReadonlySet<string> =>
  hiddenParameterNames(parseTemplate(template));

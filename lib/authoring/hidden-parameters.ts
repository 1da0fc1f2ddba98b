import type { JsonObject } from "#lib/json.ts";
import { hiddenParameterNames } from "#lib/template/parameters/parameters.ts";
import { parseTemplate } from "#lib/template/parse/parse.ts";

export const hiddenParametersOf = (template: JsonObject): ReadonlySet<string> =>
  hiddenParameterNames(parseTemplate(template));

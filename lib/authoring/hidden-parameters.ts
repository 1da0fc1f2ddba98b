import type { JsonObject } from "#lib/json.ts";
import { hiddenParameterNames } from "#lib/template/parameters.ts";
import { parseTemplate } from "#lib/template/parse.ts";

export const hiddenParametersOf = (template: JsonObject): ReadonlySet<string> =>
  hiddenParameterNames(parseTemplate(template));

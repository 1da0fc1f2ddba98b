/** Templates and scopes for the tests of this folder. */

import type { Json, JsonObject } from "#lib/json.ts";
import { parameterValues as valuesIn } from "#lib/stack/parameter-values.ts";
import { parseTemplate } from "#lib/template/parse.ts";
import { resolveValue } from "#lib/template/resolve.ts";
import { pseudoParameters, type ResourceReference, type Scope } from "#lib/template/scope.ts";
import type { Template } from "#lib/template/template.ts";

export const LATEST = "2021-04-16";

export const aTemplate = (sections: JsonObject, version: string = LATEST): Template =>
  parseTemplate({ heat_template_version: version, ...sections });

export const aScope = (over: Partial<Scope> = {}): Scope => ({
  parameters: new Map(),
  pseudo: pseudoParameters({ id: "stack-1", name: "web", tenant: "demo" }),
  files: {},
  resource: () => null,
  ...over,
});

export const references =
  (resources: Readonly<Record<string, ResourceReference>>) =>
  (name: string): ResourceReference | null =>
    resources[name] ?? null;

export const parameterValues = (
  template: Template,
  parameters: JsonObject,
  parameterDefaults: JsonObject,
  options = { strict: true },
): ReadonlyMap<string, Json> => valuesIn(template, { parameters, parameterDefaults }, options);

/** The value of a snippet in a stack. The version decides which functions exist. */
export const evaluate = (
  snippet: Json,
  scope: Partial<Scope> = {},
  version: string = LATEST,
): Json => resolveValue(aTemplate({}, version), snippet, aScope(scope), "here");

import type { Json, JsonObject } from "#lib/json.ts";
import { checkedValues, knownValues } from "#lib/stack/record/parameter-values.ts";
import { binding, finished, linking } from "#lib/template/bind/bind.ts";
import { resolveValue } from "#lib/template/functions/resolve.ts";
import { parseTemplate } from "#lib/template/parse/parse.ts";
import { pseudoParameters, type ResourceReference, type Scope } from "#lib/template/scope.ts";
import type { ParsedTemplate, Template } from "#lib/template/template.ts";

export const LATEST = "2021-04-16";
const NOW_MS = Date.UTC(2026, 0, 1);

export const bound = (
  source: JsonObject,
  parameters: ReadonlyMap<string, Json>,
  over: Partial<Scope> = {},
): Template =>
  finished(linking(finished(binding(parseTemplate(source), { ...aScope(over), parameters }))));

export const boundTemplate = (source: JsonObject, parameters: JsonObject = {}): Template =>
  bound(source, parameterValues(parseTemplate(source), parameters, {}, { strict: false }));

export const aTemplate = (sections: JsonObject, version: string = LATEST): Template =>
  boundTemplate({ heat_template_version: version, ...sections });

export const aScope = (over: Partial<Scope> = {}): Scope => ({
  parameters: new Map(),
  pseudo: pseudoParameters({ id: "stack-1", name: "web", tenant: "demo" }, { version: LATEST }),
  files: {},
  resource: () => null,
  ...over,
});

export const references =
  (resources: Readonly<Record<string, ResourceReference>>) =>
  (name: string): ResourceReference | null =>
    resources[name] ?? null;

export const parameterValues = (
  template: ParsedTemplate,
  parameters: JsonObject,
  parameterDefaults: JsonObject,
  { strict } = { strict: true },
): ReadonlyMap<string, Json> => {
  const given = { parameters, parameterDefaults };
  return strict
    ? checkedValues({ clock: { now: () => NOW_MS } }, template, given)
    : knownValues(template, given);
};

export const withParameters = (parameters: JsonObject): Template => aTemplate({ parameters });

export const parameterValue = (schema: JsonObject, value: Json): Json | undefined =>
  parameterValues(withParameters({ p: schema }), { p: value }, {}).get("p");

export const evaluate = (
  snippet: Json,
  scope: Partial<Scope> = {},
  version: string = LATEST,
): Json => resolveValue(aTemplate({}, version), snippet, aScope(scope), "here");

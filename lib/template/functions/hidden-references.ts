import type { Json, JsonObject } from "#lib/json.ts";
import type { Template } from "../template.ts";
import { resourceNamed, visitReferences } from "./calls.ts";
import type { CallReference } from "./function.ts";
import { callIn, type FunctionTable, functionsOf, isSecretQuote } from "./table.ts";

type HiddenParameters = Pick<Template, "parameters" | "version">;

const someReference = (
  functions: FunctionTable,
  snippet: Json,
  isWanted: (reference: CallReference) => boolean,
): boolean => {
  let found = false;
  visitReferences(functions, snippet, "", (reference) => {
    found ||= isWanted(reference);
  });
  return found;
};

export const keysWith = (
  functions: FunctionTable,
  values: JsonObject,
  isWanted: (reference: CallReference) => boolean,
): ReadonlySet<string> => {
  const found = Object.entries(values).filter(([, value]) =>
    someReference(functions, value, isWanted),
  );
  return new Set(found.map(([key]) => key));
};

export const mayRead = (
  functions: FunctionTable,
  reference: CallReference,
  isWanted: (parameter: string) => boolean,
): boolean => {
  if (reference.kind === "either") {
    return typeof reference.name === "string" && isWanted(reference.name);
  }
  if (reference.kind !== "parameter") return false;
  const { parameter } = reference;
  return typeof parameter === "string"
    ? isWanted(parameter)
    : callIn(functions, parameter) !== null;
};

const mayShowHidden =
  (template: HiddenParameters, functions: FunctionTable) =>
  (reference: CallReference): boolean =>
    mayRead(functions, reference, (name) => template.parameters.get(name)?.hidden === true);

/**
 * The keys whose values may show a hidden parameter or the data of another resource, such as a
 * password. No error text may show these values.
 */
export const secretProperties = (template: Template, values: JsonObject): ReadonlySet<string> =>
  hiddenProperties(template, values, (reference) => {
    if (reference.kind !== "either") return "resource" in reference;
    return typeof reference.name === "string" && template.resources.has(reference.name);
  });

/** As `secretProperties` before a create, when resources have no data to show. */
export const hiddenProperties = (
  template: Template,
  values: JsonObject,
  isWanted: (reference: CallReference) => boolean = () => false,
): ReadonlySet<string> => {
  if (isSecretQuote(values)) return new Set(Object.keys(values));
  const functions = functionsOf(template.version);
  const isHidden = mayShowHidden(template, functions);
  return keysWith(functions, values, (one) => isWanted(one) || isHidden(one));
};

/**
 * Whether the values may show a hidden parameter, directly or through other resources, whose
 * attributes may show the properties that they were given.
 */
export const receivesHidden = (
  template: HiddenParameters & Pick<Template, "resources">,
  values: JsonObject,
): boolean => {
  const functions = functionsOf(template.version);
  const names = new Set<string>();
  const open: JsonObject[] = [values];
  for (const given of open) {
    if (showsHidden(template, given)) return true;
    visitReferences(functions, given, "", (reference) => {
      for (const name of resourcesRead(template, reference)) {
        const properties = template.resources.get(name)?.properties;
        if (properties === undefined || names.has(name)) continue;
        names.add(name);
        open.push(properties);
      }
    });
  }
  return false;
};

const resourcesRead = (
  { resources }: Pick<Template, "resources">,
  reference: CallReference,
): Iterable<string> => {
  const name = resourceNamed(reference);
  if (name !== null) return [name];
  return "resource" in reference ? resources.keys() : [];
};

export const showsHidden = (template: HiddenParameters, snippet: Json): boolean => {
  const functions = functionsOf(template.version);
  return (
    isSecretQuote(snippet) || someReference(functions, snippet, mayShowHidden(template, functions))
  );
};

import { isJsonObject, type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Nests } from "#lib/ports/nesting.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { nestedTemplate } from "#lib/stack/defined-type.ts";
import { type LoadedTemplate, loadTemplate } from "#lib/stack/record/template-record.ts";
import { resolveInStack } from "#lib/stack/resolve-in-stack.ts";
import { visitReferences } from "#lib/template/functions/calls.ts";
import { functionsOf } from "#lib/template/functions/table.ts";
import { type AttributeErrors, heldErrors, outputError } from "#lib/template/held-attributes.ts";
import { isCollection, member } from "#lib/template/json-shape.ts";
import type { ParsedTemplate, Template } from "#lib/template/template.ts";
import { arnOf, type NestedView } from "./nested-result.ts";
import { nestedType } from "./nested-type.ts";

/**
 * As in Heat, null becomes an empty list or an empty map. A number or a boolean for a JSON
 * parameter becomes an empty map too.
 */
const withoutMisfits = ({ parameters }: ParsedTemplate, given: JsonObject): JsonObject =>
  mapOf(
    Object.entries(given).map(([name, value]): [string, Json] => {
      const type = parameters.get(name)?.type;
      if (type === "comma_delimited_list" && value === null) return [name, []];
      const isText = isCollection(value) || typeof value === "string";
      return [name, type === "json" && !isText ? {} : value];
    }),
  );

const nestsWith = (engine: Ports): Nests => ({
  read: async (typeName, given, files) => {
    const template = await nestedTemplate(engine, files, typeName, typeName);
    return { template: template.source, parameters: withoutMisfits(template, given) };
  },
  snippet: (given, parameter) => member(given, parameter) ?? null,
});

const INNER = /^resource\.([^.]+)(?:\.(.+))?$/;

interface Inner {
  readonly key: string;
  readonly resource: string;
  readonly attribute: string | null;
  readonly isStep: boolean;
}

const innerOf = (template: Template, resourceName: string): readonly Inner[] => {
  const found: Inner[] = [];
  const functions = functionsOf(template.version);
  const snippets: Json[] = [
    ...[...template.resources.values()].flatMap(({ properties, metadata }) => [
      properties,
      metadata,
    ]),
    ...[...template.outputs.values()].map(({ value }) => value),
  ];
  visitReferences(functions, snippets, "", (reference) => {
    if (reference.kind !== "attribute" || reference.resource !== resourceName) return;
    const [key, step] = reference.path;
    const [, resource, attribute] = (typeof key === "string" && INNER.exec(key)) || [];
    if (typeof key !== "string" || resource === undefined) return;
    const isStep = attribute === undefined && typeof step === "string";
    found.push({ key, resource, attribute: isStep ? step : (attribute ?? null), isStep });
  });
  return found;
};

const innerValues = async (
  engine: Ports,
  stack: Stack,
  loaded: LoadedTemplate,
  inner: readonly Inner[],
): Promise<JsonObject> => {
  if (inner.length === 0) return {};
  return resolveInStack(engine, stack, loaded, (scope) => {
    const values = new Map<string, Json>();
    for (const { key, resource, attribute, isStep } of inner) {
      const reference = scope.resource(resource);
      const value =
        attribute === null
          ? (reference?.refId ?? null)
          : (member(reference?.attributes ?? {}, attribute) ?? null);
      const before = values.get(key);
      const steps = before !== undefined && isJsonObject(before) ? before : {};
      values.set(key, isStep ? mergedMaps(steps, { [attribute ?? ""]: value }) : value);
    }
    return mapOf(values);
  });
};

const errorsOf = (resource: string, errors: AttributeErrors): AttributeErrors =>
  new Map([...errors].map(([output, text]) => [output, outputError(resource, output, text)]));

const view: NestedView = async (call, engine, { stack, outputs, errors }) => {
  const above = await loadTemplate(engine, call.tenant, call.stackId, call.templateId);
  const loaded = await loadTemplate(engine, stack.tenant, stack.id, stack.templateId);
  const inner = innerOf(above.template, call.resourceName);
  const own = member(outputs, "OS::stack_id");
  return {
    attributes: mergedMaps(
      outputs,
      await innerValues(engine, stack, loaded, inner),
      heldErrors(errorsOf(call.resourceName, errors)),
    ),
    refId: typeof own === "string" ? own : arnOf(stack),
  };
};

/**
 * Heat's TemplateResource: a template file of the request that is used as a type. Its properties
 * are the parameters of that template and are filled in by `definedType`.
 */
export const templateResource = (engine: Ports): ResourceType => ({
  ...nestedType(engine, nestsWith(engine), view),
  type: "Hearth::TemplateResource",
  schema: {
    description:
      "A template that is used as a type: its parameters are properties, its outputs attributes.",
    properties: "any",
    attributes: "any",
  },
});

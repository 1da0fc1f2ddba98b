/** The verb validate: what is wrong with a template, or its parameters. It needs no values. */
import { RequestError, SeveralErrors } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { bindWithTypes, definitionsWithTypes } from "#lib/stack/check/check-source.ts";
import { definedType, definedTypeName } from "#lib/stack/defined-type.ts";
import { inTurns, pauseIfDue } from "#lib/stack/in-turns.ts";
import { NestCount } from "#lib/stack/nested-source.ts";
import { knownValues } from "#lib/stack/record/parameter-values.ts";
import { validating } from "#lib/template/check/validate.ts";
import { isTemplateName, mapType, writtenTarget } from "#lib/template/environment/registry.ts";
import { type Faults, FIRST_FAULT } from "#lib/template/faults.ts";
import { formatOf } from "#lib/template/format.ts";
import { stackBudget } from "#lib/template/functions/value-budget.ts";
import { isEmpty, isJsonArray, member } from "#lib/template/json-shape.ts";
import { describeParameters } from "#lib/template/parameters/parameters.ts";
import { parseTemplate } from "#lib/template/parse/parse.ts";
import { pythonText } from "#lib/template/python-text.ts";
import type { ParsedTemplate, Template } from "#lib/template/template.ts";
import { newSource, type TemplateRequest } from "../stacks/target-source.ts";
import { lateScripts } from "./late-scripts.ts";
import { type BindLevel, type Level, levelBelow } from "./preview-resources.ts";

interface TemplateDescription {
  readonly description: Json;
  readonly parameters: JsonObject;
  readonly parameterGroups: JsonObject;
  readonly nestedParameters: JsonObject;
  readonly environment: JsonObject;
  readonly warnings: readonly string[];
}

interface ValidateOptions {
  readonly showNested: boolean;
  readonly faults?: Faults;
}

/**
 * As in Heat, StackValidationFailed becomes HTTPBadRequest in this call, but not for nested
 * templates.
 */
export const validateTemplate = async (
  ports: Ports,
  request: TemplateRequest,
  { showNested, faults = FIRST_FAULT }: ValidateOptions,
): Promise<TemplateDescription> => {
  const { level, description } = await checkedLevel(ports, request, faults);
  const nested = showNested ? await nestedParameters(ports, level) : {};
  const warnings = await lateScripts(ports, level.source, level.template);
  return { ...description, nestedParameters: nested, warnings };
};

const asBadRequest = <E>(error: E): E | RequestError =>
  error instanceof RequestError && error.code === "StackValidationFailed"
    ? new RequestError("HTTPBadRequest", 400, error.message, { cause: error })
    : error;

interface CheckedLevel {
  readonly level: Level;
  readonly description: Omit<TemplateDescription, "nestedParameters" | "warnings">;
}

const checkedLevel = async (
  ports: Ports,
  request: TemplateRequest,
  faults: Faults,
): Promise<CheckedLevel> => {
  try {
    return await describe(ports, request, faults);
  } catch (error) {
    if (!(error instanceof SeveralErrors)) throw asBadRequest(error);
    const others = error.others.map(asBadRequest);
    throw new SeveralErrors(asBadRequest(error), others);
  }
};

const describe = async (
  ports: Ports,
  request: TemplateRequest,
  faults: Faults,
): Promise<CheckedLevel> => {
  const { template: document, environment } = await newSource(ports, request);
  const values = knownValues(parseTemplate(document), environment);
  const { files } = request;
  const source = { template: document, files, environment };
  const { template, lookup } = await bindWithTypes(ports, source, values, { faults });
  const { parameters, parameterDefaults, resourceRegistry } = environment;
  const options = { strict: false, faults };
  await inTurns(ports, validating(template, values, source, lookup, options));
  faults.settle();
  const level: Level = {
    source,
    template,
    parameters: values,
    stackName: "dummy",
    depth: 0,
    nests: new NestCount(),
    budget: stackBudget(),
  };
  const description = {
    description: descriptionOf(template),
    parameters: describeParameters(template, parameters, parameterDefaults),
    parameterGroups: groupsOf(template),
    environment: {
      parameters,
      parameter_defaults: parameterDefaults,
      resource_registry: mergedMaps<Json>(
        { resources: {} },
        resourceRegistry,
        typesInUse(resourceRegistry, template),
      ),
      event_sinks: [],
    },
  };
  return { level, description };
};

/** Heat's registry also shows the template types in use and the targets of wildcards. */
const typesInUse = (registry: JsonObject, { resources }: Template): JsonObject => {
  const learned = [...resources.values()].flatMap(({ name, type }): [string, Json][] => {
    if (Object.hasOwn(registry, type)) return [];
    if (isTemplateName(type)) return [[type, type]];
    const isMapped = mapType(registry, name, type).type !== type;
    const target = isMapped ? writtenTarget(registry, name, type) : null;
    return target === null ? [] : [[type, target]];
  });
  return mapOf(learned);
};

/** As in Heat, the description as written, even if it is not a text. */
export const descriptionOf = ({ source, version }: ParsedTemplate): Json => {
  const written = member(source, formatOf(version).sections.description);
  return written === undefined || isEmpty(written) ? "No description" : written;
};

const groupsOf = ({ parameterGroups }: ParsedTemplate): JsonObject =>
  isEmpty(parameterGroups) ? {} : { ParameterGroups: parameterGroups };

/** As Heat passes them on: the items of a list are one text. */
const given = ({ source, template }: Level): JsonObject => {
  const entries = Object.entries(source.environment.parameters).map(
    ([name, value]): [string, Json] => {
      const type = template.parameters.get(name)?.type;
      if (type === "comma_delimited_list" && isJsonArray(value)) return [name, value.join(",")];
      const isText = type === "string" && value !== null && !isJsonObject(value);
      return [name, isText && !isJsonArray(value) ? pythonText(value) : value];
    },
  );
  return mapOf(entries);
};

/** Throws for a wrong definition and an unknown type. As in Heat, references are not checked. */
const definedBelow =
  (ports: Ports, { budget }: Level): BindLevel =>
  async (source, parameters) => {
    const { parsed, resources } = await definitionsWithTypes(ports, source, parameters, budget);
    const unlinked = [...resources].map(([name, one]) => [name, { ...one, requires: [] }] as const);
    return { ...parsed, resources: new Map(unlinked), outputs: new Map() };
  };

const nestedParameters = async (ports: Ports, level: Level): Promise<JsonObject> => {
  const found: [string, JsonObject][] = [];
  for (const definition of level.template.resources.values()) {
    const type = await definedType(ports, level.source, definition);
    const below = await levelBelow(level, type, definition, definedBelow(ports, level));
    await pauseIfDue(ports);
    if (below === null) continue;
    const { template, source } = below;
    // A group of deployments has a template of its own, whose parameters are not a user's.
    const isDescribed = isTemplateName(definedTypeName(level.source, definition));
    const { parameterDefaults } = source.environment;
    found.push([
      definition.name,
      mergedMaps<Json>(
        {
          Type: definition.type,
          Description: descriptionOf(template),
          Parameters: isDescribed
            ? describeParameters(template, given(below), parameterDefaults)
            : {},
        },
        groupsOf(template),
        await nestedParameters(ports, below),
      ),
    ]);
  }
  return found.length === 0 ? {} : { NestedParameters: mapOf(found) };
};

/** The verb validate: what is wrong with a template, or its parameters. It needs no values. */
import { RequestError, SeveralErrors } from "#lib/errors.ts";
import type { Json, JsonObject } from "#lib/json.ts";
import { mapOf, mergedMaps } from "#lib/json-map.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { bindWithTypes } from "#lib/stack/check-source.ts";
import { inTurns } from "#lib/stack/in-turns.ts";
import { NestCount } from "#lib/stack/nest-count.ts";
import { knownValues } from "#lib/stack/parameter-values.ts";
import { type Faults, FIRST_FAULT } from "#lib/template/faults.ts";
import { describeParameters } from "#lib/template/parameters.ts";
import { parseTemplate } from "#lib/template/parse.ts";
import { isTemplateName, mapType, writtenTarget } from "#lib/template/registry.ts";
import type { Template } from "#lib/template/template.ts";
import { validating } from "#lib/template/validate.ts";
import { stackBudget } from "#lib/template/value-budget.ts";
import { lateScripts } from "./late-scripts.ts";
import { descriptionOf, groupsOf, nestedParameters } from "./nested-parameters.ts";
import type { Level } from "./preview-resources.ts";
import { newSource } from "./target-source.ts";
import type { TemplateRequest } from "./template-request.ts";

export interface TemplateDescription {
  readonly description: Json;
  readonly parameters: JsonObject;
  readonly parameterGroups: JsonObject;
  readonly nestedParameters: JsonObject;
  readonly environment: JsonObject;
  readonly warnings: readonly string[];
}

export interface ValidateOptions {
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

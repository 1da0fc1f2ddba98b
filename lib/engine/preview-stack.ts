/** The verb preview of a create: the stack that a request would make. */
import type { JsonObject } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { checkSource } from "#lib/stack/check-source.ts";
import { STACK_TIMEOUT_MINS_DEFAULT } from "#lib/stack/limits.ts";
import { parameterValues } from "#lib/stack/parameter-values.ts";
import { parameterTexts } from "#lib/template/parameters.ts";
import { secretProperties } from "#lib/template/property-references.ts";
import { entriesLeft, resolveValue } from "#lib/template/resolve.ts";
import { pseudoParameters, type Scope } from "#lib/template/scope.ts";
import type { ResourceDefinition, Template } from "#lib/template/template.ts";
import { stackBudget, type ValueBudget } from "#lib/template/value-budget.ts";
import { type CreateStackRequest, checkStackName, unborn } from "./create-stack.ts";
import { dependents } from "./resource-view.ts";
import { checkTimeout } from "./stack-options.ts";
import { newSource } from "./target-source.ts";

export interface PreviewedResource {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly requiredBy: readonly string[];
  /** Null for a value that waits for another resource or may be a secret. */
  readonly properties: JsonObject;
  readonly metadata: JsonObject;
}

export interface StackPreview {
  readonly tenant: string;
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly timeoutMins: number;
  readonly disableRollback: boolean;
  readonly tags: readonly string[];
  readonly resources: readonly PreviewedResource[];
}

/** Refuses what create refuses, except a name that is in use. */
export const previewStack = async (
  ports: Ports,
  request: CreateStackRequest,
): Promise<StackPreview> => {
  checkStackName(request.name);
  const timeoutMins = checkTimeout(request.timeoutMins) ?? STACK_TIMEOUT_MINS_DEFAULT;
  const source = { ...(await newSource(ports, request)), stack: unborn(request) };
  const template = await checkSource(ports, source);
  const values = parameterValues(template, source.environment);
  const scope: Scope = {
    parameters: values,
    pseudo: pseudoParameters({ ...request, id: "" }),
    files: source.files,
    resource: () => null,
  };
  const { "OS::stack_id": _, ...named } = scope.pseudo;
  const requiredBy = dependents(template.resources);
  const budget = stackBudget();
  return {
    tenant: request.tenant,
    name: request.name,
    description: template.description,
    parameters: { ...parameterTexts(template, values), ...named },
    timeoutMins,
    disableRollback: request.disableRollback ?? true,
    tags: request.tags ?? [],
    resources: [...template.resources.values()].map((definition) => ({
      name: definition.name,
      type: definition.type,
      description: definition.description,
      requiredBy: requiredBy.get(definition.name) ?? [],
      properties: knownValues(template, definition, definition.properties, scope, budget),
      metadata: knownValues(template, definition, definition.metadata, scope, budget),
    })),
  };
};

const knownValues = (
  template: Template,
  definition: ResourceDefinition,
  values: JsonObject,
  scope: Scope,
  budget: ValueBudget,
): JsonObject => {
  const secret = secretProperties(template, values);
  return Object.fromEntries(
    entriesLeft(template, values).map(([key, value]) => {
      if (secret.has(key)) return [key, null];
      const place = `resources.${definition.name}.${key}`;
      return [key, resolveValue(template, value, scope, place, budget)];
    }),
  );
};

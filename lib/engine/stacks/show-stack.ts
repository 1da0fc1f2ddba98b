import { present, RequestError } from "#lib/errors.ts";
import { type Json, type JsonObject, mergedMaps } from "#lib/json.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { shownTemplate, templateWithValues } from "#lib/stack/record/group-template.ts";
import { type LoadedTemplate, loadTemplate } from "#lib/stack/record/template-record.ts";
import { resolveInStack, typedReference } from "#lib/stack/resolve-in-stack.ts";
import {
  type ResolvedOutput,
  resolveOutputs as resolved,
} from "#lib/template/functions/resolve.ts";
import { hiddenParameterNames, parameterTexts } from "#lib/template/parameters/parameters.ts";
import { pseudoParameters } from "#lib/template/scope.ts";
import { redactMembers } from "#lib/template/secrets.ts";
import type { OutputDefinition } from "#lib/template/template.ts";
import { findLivingStack, findStack, isDeleted, type StackIdentity } from "./find-stack.ts";

const NO_OUTPUT_DESCRIPTION = "No description given";

export interface OutputView {
  readonly key: string;
  readonly description: string;
  readonly value: Json;
  readonly error?: string;
}

export interface StackView {
  readonly stack: Stack;
  readonly description: string;
  /** As text, with the pseudo parameters. Hidden values are redacted. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly outputs: readonly OutputView[] | null;
}

export const viewOutput = (
  { name, description }: OutputDefinition,
  { value, error }: ResolvedOutput,
): OutputView => ({
  key: name,
  description: description || NO_OUTPUT_DESCRIPTION,
  value,
  ...(error === undefined ? {} : { error }),
});

const load = (ports: Ports, stack: Stack): Promise<LoadedTemplate> =>
  loadTemplate(ports, stack.tenant, stack.id, stack.templateId);

const resolveOutputs = (
  ports: Ports,
  stack: Stack,
  loaded: LoadedTemplate,
  outputs: readonly OutputDefinition[],
): Promise<OutputView[]> =>
  resolveInStack(
    ports,
    stack,
    loaded,
    (scope, shared) => {
      const values = resolved(loaded.template, outputs, scope, shared);
      return outputs.map((output, at) =>
        viewOutput(output, present(values[at], `the value of the output ${output.name}`)),
      );
    },
    { read: typedReference(loaded) },
  );

export const viewStack = async (
  ports: Ports,
  stack: Stack,
  options: { readonly resolveOutputs: boolean },
): Promise<StackView> => {
  const loaded = await load(ports, stack);
  const definitions = [...loaded.template.outputs.values()];
  const wanted = options.resolveOutputs && !isDeleted(stack);
  return {
    stack,
    description: loaded.template.description || stack.description,
    parameters: mergedMaps(
      parameterTexts(loaded.template, loaded.parameters),
      pseudoParameters(stack, loaded.template),
    ),
    outputs: wanted ? await resolveOutputs(ports, stack, loaded, definitions) : null,
  };
};

export const showStack = async (
  ports: Ports,
  identity: StackIdentity,
  options: { readonly resolveOutputs: boolean },
): Promise<StackView> => viewStack(ports, await findStack(ports, identity), options);

/** Only keys and descriptions, as in Heat. */
export const listOutputs = async (
  ports: Ports,
  identity: StackIdentity,
): Promise<readonly Pick<OutputView, "key" | "description">[]> => {
  const { template } = await load(ports, await findLivingStack(ports, identity));
  return [...template.outputs.values()].map(({ name, description }) => ({
    key: name,
    description: description || NO_OUTPUT_DESCRIPTION,
  }));
};

export const showOutput = async (
  ports: Ports,
  identity: StackIdentity,
  key: string,
): Promise<OutputView> => {
  const stack = await findLivingStack(ports, identity);
  const loaded = await load(ports, stack);
  const output = loaded.template.outputs.get(key);
  const [view] = output ? await resolveOutputs(ports, stack, loaded, [output]) : [];
  if (!view) throw new RequestError("NotFound", 404, `Specified output key ${key} not found.`);
  return view;
};

export const showTemplate = async (ports: Ports, identity: StackIdentity): Promise<JsonObject> => {
  const { source } = await load(ports, await findStack(ports, identity));
  const { template, environment, sharesValues } = source;
  return sharesValues === true
    ? templateWithValues(template, environment.parameters)
    : shownTemplate(source);
};

export const showFiles = async (
  ports: Ports,
  identity: StackIdentity,
): Promise<Readonly<Record<string, string>>> =>
  (await load(ports, await findStack(ports, identity))).source.files;

/** Values of hidden parameters are redacted. */
export const showEnvironment = async (
  ports: Ports,
  identity: StackIdentity,
): Promise<JsonObject> => {
  const { template, source } = await load(ports, await findStack(ports, identity));
  const hidden = hiddenParameterNames(template);
  const redacted = (values: JsonObject): JsonObject =>
    redactMembers(values, (name) => hidden.has(name));
  return {
    // The shown template contains these values and has no parameters.
    parameters: source.sharesValues === true ? {} : redacted(source.environment.parameters),
    parameter_defaults: redacted(source.environment.parameterDefaults),
    resource_registry: mergedMaps<Json>({ resources: {} }, source.environment.resourceRegistry),
    encrypted_param_names: [],
    event_sinks: [],
  };
};

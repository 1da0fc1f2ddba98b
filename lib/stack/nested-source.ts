/**
 * The target of a nested stack, derived from its parent's template record. Its parameters come from
 * the resource's properties alone. The parent passes on its files and the rest of the environment.
 */
import { requestLimitExceeded, unlessRefused } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import type { GroupKind, Referenced } from "#lib/model/group-record.ts";
import type { Nests } from "#lib/ports/nesting.ts";
import { mapType, registryBelow } from "#lib/template/environment/registry.ts";
import { formatOf, isCfn } from "#lib/template/format.ts";
import { hasCalls, visitReferences } from "#lib/template/functions/calls.ts";
import { receivesHidden, showsHidden } from "#lib/template/functions/hidden-references.ts";
import { resolveValue } from "#lib/template/functions/resolve.ts";
import { functionsOf, isSecretQuote } from "#lib/template/functions/table.ts";
import { attributeLabel } from "#lib/template/held-attributes.ts";
import { member } from "#lib/template/json-shape.ts";
import { parseTemplate } from "#lib/template/parse/parse.ts";
import type { Scope } from "#lib/template/scope.ts";
import type { ResourceDefinition } from "#lib/template/template.ts";
import {
  NESTED_DEPTH_MAX,
  NESTED_RESOURCES_PER_ROOT_MAX,
  NESTED_STACKS_PER_ROOT_MAX,
  RESOURCES_PER_ROOT_MAX,
} from "./limits.ts";
import { givenBy } from "./record/bind-source.ts";
import type { LoadedTemplate, TemplateSource } from "./record/template-record.ts";

export interface NestedTarget {
  readonly source: TemplateSource;
  readonly timeoutMins: number | null;
}

export const nestedTarget = async (
  above: Pick<LoadedTemplate, "source" | "template" | "parameters">,
  definition: ResourceDefinition,
  nests: Nests,
  properties: JsonObject,
): Promise<NestedTarget> => {
  const { source, template } = above;
  const { resourceRegistry, parameterDefaults } = source.environment;
  const { type, entry } = mapType(resourceRegistry, definition.name, definition.type);
  const below = await nests.read(type, properties, source.files, {
    resourceName: definition.name,
    referenced: () => referencedAttributes(above, definition.name),
  });
  // What a group passes to a member with a secret is hidden as a whole. As in Heat, a value that
  // comes through another resource is hidden only if the nested template says so.
  const isSecret = (parameter: string): boolean =>
    isSecretQuote(definition.properties) ||
    showsHidden(template, nests.snippet(definition.properties, parameter));
  // The members of an instance group are made of its launch configuration, and get the metadata of
  // that resource.
  const madeOf = (kind: GroupKind): readonly JsonObject[] => [
    definition.properties,
    ...(kind === "instance group" ? definition.requires : [])
      .flatMap((name) => template.resources.get(name) ?? [])
      .flatMap(({ properties: given, metadata }) => [given, metadata]),
  ];
  const isSecretGroup = (kind: GroupKind): boolean =>
    madeOf(kind).some((given) => receivesHidden(template, given));
  return {
    source: {
      template: hideParameters(below.template, isSecret),
      files: source.files,
      environment: {
        parameters: below.parameters,
        parameterDefaults,
        resourceRegistry: withUnmapped(
          registryBelow(resourceRegistry, definition.name, entry),
          nests.registry,
        ),
      },
      ...(below.sharesValues === true ? { sharesValues: true } : {}),
      ...(below.group === undefined
        ? {}
        : { group: { ...below.group, isSecret: isSecretGroup(below.group.kind) } }),
    },
    timeoutMins: below.timeoutMins ?? null,
  };
};

const withUnmapped = (registry: JsonObject, more: JsonObject = {}): JsonObject =>
  mergedMaps<Json>(
    registry,
    mapOf(Object.entries(more).filter(([name]) => mapType(registry, "", name).type === name)),
  );

/**
 * A parameter that receives a hidden value is hidden too, or the nested stack would show the value.
 */
const hideParameters = (
  template: JsonObject,
  isSecret: (parameter: string) => boolean,
): JsonObject => {
  const { version } = parseTemplate(template);
  const section = formatOf(version).sections.parameters;
  const mark = isCfn(version) ? { NoEcho: true } : { hidden: true };
  const parameters = member(template, section) ?? null;
  if (!isJsonObject(parameters)) return template;
  const hidden = Object.entries(parameters).map(([name, schema]): [string, Json] => [
    name,
    isJsonObject(schema) && isSecret(name) ? mergedMaps<Json>(schema, mark) : schema,
  ]);
  return mergedMaps(template, { [section]: mapOf(hidden) });
};

type Loaded = Pick<LoadedTemplate, "source" | "template" | "parameters">;

const pathResolver = ({ source, template, parameters }: Loaded) => {
  const functions = functionsOf(template.version);
  const scope: Scope = { ...givenBy(source, template), parameters, resource: () => null };
  return (path: readonly Json[]): readonly Json[] | null => {
    if (!hasCalls(functions, path)) return path;
    return unlessRefused(() => path.map((step) => resolveValue(template, step, scope, "")));
  };
};

/** Which attributes of a resource its own template refers to. Groups compute only those. */
export const referencedAttributes = (
  loaded: Loaded,
  resourceName: string,
): readonly Referenced[] => {
  const { template } = loaded;
  const resolved = pathResolver(loaded);
  const found = new Map<string, Referenced>();
  const snippets: Json[] = [
    ...[...template.resources.values()].flatMap(({ properties, metadata }) => [
      properties,
      metadata,
    ]),
    ...[...template.outputs.values()].map(({ value }) => value),
  ];
  visitReferences(functionsOf(template.version), snippets, "", (reference) => {
    if (reference.kind !== "attribute" || reference.resource !== resourceName) return;
    const [key, ...path] = resolved(reference.path) ?? [];
    if (typeof key === "string") found.set(attributeLabel(key, ...path), { key, path });
  });
  return [...found.values()];
};

export const checkDepth = (depth: number): void => {
  if (depth <= NESTED_DEPTH_MAX) return;
  throw requestLimitExceeded(`Recursion depth exceeds ${NESTED_DEPTH_MAX}.`);
};

/** Counts what a root nests. Templates may nest each other exponentially often, or themselves. */
export class NestCount {
  #stacks = 0;
  #resources = 0;
  #made = 0;

  get isExceeded(): boolean {
    return (
      this.#stacks > NESTED_STACKS_PER_ROOT_MAX ||
      this.#resources > NESTED_RESOURCES_PER_ROOT_MAX ||
      this.#made > RESOURCES_PER_ROOT_MAX
    );
  }

  /**
   * Throws Heat's RequestLimitExceeded if this nested stack exceeds a limit. `copies` is the number
   * of stacks like it.
   */
  add(resources: number, copies = 1): void {
    this.#stacks += 1;
    this.#resources += resources;
    this.#made += resources * copies;
    if (this.isExceeded) throw requestLimitExceeded("Maximum resources per stack exceeded.");
  }
}

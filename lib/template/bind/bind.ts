/**
 * Binds a parsed template to its parameter values, as Heat does when it builds a stack: which
 * resources and outputs exist, what each `if` chooses, and what depends on what.
 */
import { RequestError, SeveralErrors, validationFailed } from "#lib/errors.ts";
import { hasSameText, isJsonObject, type JsonObject } from "#lib/json.ts";
import { type Faults, FIRST_FAULT } from "../faults.ts";
import { formatOf, mappingsOf } from "../format.ts";
import { snippetResolver } from "../functions/resolve.ts";
import { functionsOf } from "../functions/table.ts";
import { type SharedBudget, valueBudget } from "../functions/value-budget.ts";
import { isCollection, member } from "../json-shape.ts";
import { readSection } from "../parse/resource-shape.ts";
import { pythonRepr } from "../python-text.ts";
import type { Scope } from "../scope.ts";
import { safeText, secretTexts } from "../secrets.ts";
import type { ParsedTemplate, ResourceDefinition, Template } from "../template.ts";
import { bindConditions } from "./conditions.ts";
import {
  type Reading,
  readDefinition,
  readOutputs,
  type UnlinkedDefinition,
} from "./definitions.ts";
import { checkAcyclic, type Names, requiredNames } from "./dependencies.ts";

export type BindingScope = Omit<Scope, "resource"> & {
  /** The budget of the request. It is absent if the request binds no other template. */
  readonly budget?: SharedBudget | undefined;
  readonly faults?: Faults | undefined;
  /**
   * An earlier binding whose definitions are used again for each part of the source that is the
   * same object. It must not have read any parameter value.
   */
  readonly former?: Template | undefined;
};

export interface UnlinkedTemplate {
  readonly parsed: ParsedTemplate;
  readonly resources: ReadonlyMap<string, UnlinkedDefinition>;
  readonly reading: Reading;
  readonly scope: Scope;
  readonly faults: Faults;
  readonly former: Template | undefined;
  readonly isFixed: () => boolean;
}

const checkNames = (
  parameters: Iterable<string>,
  resources: ReadonlyMap<string, unknown>,
): void => {
  const both = [...parameters].filter((name) => resources.has(name)).sort();
  if (both.length === 0) return;
  throw validationFailed(`Duplicate names {${both.map(pythonRepr).join(", ")}}`);
};

const definitionsOf = (
  former: Template | undefined,
  section: string,
): ((name: string, written: JsonObject) => ResourceDefinition | undefined) => {
  const known = former && member(former.source, section);
  if (!isJsonObject(known)) return () => undefined;
  return (name, written) =>
    member(known, name) === written ? former?.resources.get(name) : undefined;
};

function* readAll(
  sources: readonly (readonly [string, JsonObject])[],
  reading: Reading,
  note: Faults["note"],
  former: Template | undefined,
): Steps<ReadonlyMap<string, UnlinkedDefinition>> {
  const resources = new Map<string, UnlinkedDefinition>();
  const known = definitionsOf(former, formatOf(reading.version).sections.resources);
  for (const [name, source] of sources) {
    try {
      const definition = known(name, source) ?? readDefinition(name, source, reading);
      if (definition !== null) resources.set(name, definition);
    } catch (failure) {
      note(failure);
    }
    yield;
  }
  return resources;
}

/** Error texts must not show the value of a hidden parameter. */
const redacted = (failure: unknown, template: ParsedTemplate, scope: Scope): unknown => {
  if (!(failure instanceof RequestError) || failure instanceof SeveralErrors) return failure;
  const text = safeText(failure, secretTexts(template, scope.parameters), () => true);
  return new RequestError(failure.code, failure.status, text);
};

const readingOf = (
  { version, source }: ParsedTemplate,
  scope: Scope,
  shared: SharedBudget | undefined,
  onValue: () => void,
): Reading => {
  const functions = functionsOf(version);
  const budget = valueBudget(shared);
  const { conditions } = formatOf(version).sections;
  const section = conditions === null ? undefined : member(source, conditions);
  const { isEnabled, decide } = bindConditions(version, section, scope, budget);
  const resolve = snippetResolver(functions, scope, budget, isEnabled);
  return {
    version,
    functions,
    conditions: {
      isEnabled,
      decide: (condition, place) => {
        onValue();
        return decide(condition, place);
      },
    },
    resolve: (snippet) => {
      if (!isCollection(snippet)) return snippet;
      onValue();
      return resolve(snippet);
    },
  };
};

export function* binding(
  parsed: ParsedTemplate,
  bindingScope: BindingScope,
): Steps<UnlinkedTemplate> {
  const scope: Scope = {
    ...bindingScope,
    mappings: mappingsOf(parsed),
    resource: () => null,
  };
  const { resources: word } = formatOf(parsed.version).sections;
  const { faults = FIRST_FAULT } = bindingScope;
  const former = bindingScope.former?.version === parsed.version ? bindingScope.former : undefined;
  const note = (failure: unknown): void => faults.note(redacted(failure, parsed, scope));
  let isFixed = true;
  try {
    const reading = readingOf(parsed, scope, bindingScope.budget, () => {
      isFixed = false;
    });
    const resources = yield* readAll(
      readSection(member(parsed.source, word), parsed.version),
      reading,
      note,
      former,
    );
    faults.settle();
    return { parsed, resources, reading, scope, faults, former, isFixed: () => isFixed };
  } catch (failure) {
    throw redacted(failure, parsed, scope);
  }
}

const linkDefinition = (
  definition: UnlinkedDefinition,
  { functions }: Reading,
  names: Names,
): ResourceDefinition => {
  const { name, dependsOn, properties, metadata, externalId } = definition;
  if (externalId !== null) return withRequires(definition, []);
  const sections = [
    { place: "Properties", value: properties },
    { place: "Metadata", value: metadata },
  ];
  return withRequires(definition, requiredNames(functions, { name, dependsOn, sections }, names));
};

/** Written out, because a spread object with one more field takes 40 bytes more. */
const withRequires = (
  definition: UnlinkedDefinition,
  requires: readonly string[],
): ResourceDefinition => ({
  name: definition.name,
  type: definition.type,
  properties: definition.properties,
  dependsOn: definition.dependsOn,
  metadata: definition.metadata,
  deletionPolicy: definition.deletionPolicy,
  updatePolicy: definition.updatePolicy,
  externalId: definition.externalId,
  description: definition.description,
  requires,
});

const hasSameNames = (
  one: ReadonlyMap<string, unknown>,
  other: ReadonlyMap<string, unknown>,
): boolean => one.size === other.size && [...one.keys()].every((name) => other.has(name));

/** Reuses a definition of `former` whose requirements are equal, as they are if all names are. */
const linkerOf = (
  { resources, reading, former }: UnlinkedTemplate,
  names: Names,
): ((definition: UnlinkedDefinition) => ResourceDefinition) => {
  const areNamesKnown = former !== undefined && hasSameNames(resources, former.resources);
  return (definition) => {
    const known = former?.resources.get(definition.name);
    if (known === undefined || known !== definition) {
      return linkDefinition(definition, reading, names);
    }
    if (areNamesKnown) return known;
    const linked = linkDefinition(definition, reading, names);
    return hasSameText(known.requires, linked.requires) ? known : linked;
  };
};

export function* linking(unlinked: UnlinkedTemplate): Steps<Template> {
  const { parsed, resources, reading, scope, faults } = unlinked;
  checkNames(parsed.parameters.keys(), resources);
  const { sections } = formatOf(parsed.version);
  const written = member(parsed.source, sections.resources) ?? null;
  const names: Names = {
    exists: (resource) => resources.has(resource),
    isDefined: (resource) => isJsonObject(written) && Object.hasOwn(written, resource),
    resolve: reading.resolve,
  };
  const note = (failure: unknown): void => faults.note(redacted(failure, parsed, scope));
  try {
    const outputs = readOutputs(member(parsed.source, sections.outputs), reading, note);
    const linked = new Map<string, ResourceDefinition>();
    const link = linkerOf(unlinked, names);
    for (const [name, definition] of resources) {
      try {
        linked.set(name, link(definition));
      } catch (failure) {
        note(failure);
      }
      yield;
    }
    faults.settle();
    checkAcyclic(linked);
    return { ...parsed, resources: linked, outputs };
  } catch (failure) {
    throw redacted(failure, parsed, scope);
  }
}

/**
 * Work that can pause between its steps. A template may have thousands of resources, and other
 * requests should not wait for all of them.
 */
type Steps<T> = Generator<undefined, T, undefined>;

export const finished = <T>(steps: Generator<unknown, T, undefined>): T => {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};

/** Checks a stack's target, with all templates nested in it, before the request is accepted. */
import { forbidden, RequestError, requestLimitExceeded, validationFailed } from "#lib/errors.ts";
import { type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import type { Nests } from "#lib/ports/nesting.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import type { UnlinkedTemplate } from "#lib/template/bind/bind.ts";
import { knownProperties, readableProperties } from "#lib/template/check/known-properties.ts";
import type { Lookup, TypeSchema } from "#lib/template/check/properties.ts";
import {
  isUnknownType,
  unknownType,
  type ValidationOptions,
  validating,
} from "#lib/template/check/validate.ts";
import { isTemplateName } from "#lib/template/environment/registry.ts";
import {
  type Faults,
  FIRST_FAULT,
  nestedError,
  nestedPlace,
  remoteError,
} from "#lib/template/faults.ts";
import { placeIn } from "#lib/template/format.ts";
import { requestBudget, type SharedBudget } from "#lib/template/functions/value-budget.ts";
import { member } from "#lib/template/json-shape.ts";
import { parseTemplate } from "#lib/template/parse/parse.ts";
import type { ParsedTemplate, ResourceDefinition, Template } from "#lib/template/template.ts";
import { type Defined, definedType, definedTypeName, type TypePorts } from "../defined-type.ts";
import { pauseIfDue } from "../in-turns.ts";
import { RESOURCES_PER_ROOT_MAX } from "../limits.ts";
import { checkDepth, NestCount, nestedTarget } from "../nested-source.ts";
import {
  type BindingOptions,
  bindSource,
  type Definitions,
  readDefinitions,
} from "../record/bind-source.ts";
import { representatives, sizeOf } from "../record/group-template.ts";
import { checkedValues, knownValues } from "../record/parameter-values.ts";
import type { TemplateSource } from "../record/template-record.ts";
import { checkFacade } from "./check-facade.ts";
import { checkedBefore, notePassed } from "./checked-before.ts";
import { timedConstraints } from "./custom-constraints.ts";
import { readableInitially } from "./initial-properties.ts";

const MINUTE_SECONDS = 60;

export interface CheckOptions {
  readonly depth?: number | undefined;
  readonly timeoutMins?: number;
  /** A preview may show resources that have no provider. */
  readonly isPreview?: boolean;
  readonly faults?: Faults | undefined;
  /** The former target of an update. What both have in common is not checked again. */
  readonly former?: Template | undefined;
}

/** Throws the first of Heat's errors. An error for a resource without a provider comes last. */
export const checkSource = async (
  ports: TypePorts & Pick<Ports, "clock">,
  given: TemplateSource,
  { depth = 0, timeoutMins, isPreview = false, faults = FIRST_FAULT, former }: CheckOptions = {},
): Promise<Template> => {
  const { source, size } = asChecked(given);
  const values = checkedValues(ports, parseTemplate(source.template), source.environment);
  const budget = requestBudget();
  const { template, lookup } = await bindWithTypes(ports, source, values, {
    budget,
    faults,
    former,
  });
  const { constraints: custom, hasReadClock } = timedConstraints(ports.clock.now());
  const timeoutSeconds = timeoutMins === undefined ? undefined : timeoutMins * MINUTE_SECONDS;
  const check = { source, lookup, timeoutSeconds };
  const isChecked = size === null ? checkedBefore(former, template, check) : undefined;
  const options = { strict: true, budget, custom, timeoutSeconds, faults, isChecked };
  const nests = new NestCount();
  const stands = { copies: 1, membersEach: membersEach(size, template) };
  const shared = { ports, nests, budget, isPreview };
  const level = { ...shared, ...stands, source, template, lookup, values, depth };
  await checkLevel(level, options);
  if ((size ?? template.resources.size) > RESOURCES_PER_ROOT_MAX) {
    throw requestLimitExceeded("Maximum resources per stack exceeded.");
  }
  if (!isPreview) refuseWithoutProvider(level);
  if (size === null && !hasReadClock()) notePassed(check);
  return template;
};

export const bindWithTypes = async (
  ports: TypePorts,
  source: TemplateSource,
  values: ReadonlyMap<string, Json>,
  options: BindingOptions = {},
): Promise<{ readonly template: Template; readonly lookup: Lookup }> => {
  const load = (definitions: Definitions): Promise<Lookup> =>
    loadTypes(ports, source, definitions, options.faults);
  const { template, checked } = await bindSource(ports, source, values, load, options);
  return { template, lookup: checked };
};

export const definitionsWithTypes = async (
  ports: TypePorts,
  source: TemplateSource,
  values: ReadonlyMap<string, Json>,
  budget: SharedBudget,
): Promise<UnlinkedTemplate> => {
  const unlinked = await readDefinitions(ports, source, values, { budget });
  await loadTypes(ports, source, unlinked);
  return unlinked;
};

const loadTypes = async (
  ports: TypePorts,
  source: TemplateSource,
  { resources }: Definitions,
  faults: Faults = FIRST_FAULT,
): Promise<Lookup> => {
  const loaded = new Map<string, TypeSchema>();
  // The lookup may be kept in memory, so it must not hold more of the source than this.
  const { environment } = source;
  const keyOf = (definition: Defined): string => definedTypeName({ environment }, definition);
  const wrongTemplates: RequestError[] = [];
  for (const definition of resources.values()) {
    const key = keyOf(definition);
    if (loaded.has(key)) continue;
    try {
      const type = await definedType(ports, source, definition);
      if (type === null) throw unknownType(definition.type);
      loaded.set(key, schemaOf(type));
    } catch (error) {
      // As in Heat, an unknown type is reported before a missing template.
      if (error instanceof RequestError && isTemplateName(key)) wrongTemplates.push(error);
      else faults.note(error);
    }
  }
  for (const error of wrongTemplates) faults.note(error);
  faults.settle();
  return (type, name) => loaded.get(keyOf({ name, type })) ?? null;
};

const schemas = new WeakMap<ResourceType, TypeSchema>();

/** One object per type, so that two types of one name can be told apart. */
const schemaOf = (type: ResourceType): TypeSchema => {
  const known = schemas.get(type);
  if (known !== undefined) return known;
  const schema = {
    ...type.schema,
    handleSnapshotDelete: type.snapshots?.handleSnapshotDelete,
    withoutProvider: type.withoutProvider,
    isReserved: type.isReserved,
  };
  schemas.set(type, schema);
  return schema;
};

/** An external resource needs no provider, because its object already exists. */
const refuseWithoutProvider = ({ template, lookup }: Pick<Level, "template" | "lookup">): void => {
  for (const { name, type, externalId } of template.resources.values()) {
    const found = externalId === null ? lookup(type, name) : null;
    const why = found?.withoutProvider;
    if (why === undefined) continue;
    const place = placeIn("resources", name);
    throw found?.isReserved === true
      ? forbidden(`${place}: You are not authorized to use ${type}. ${why}`)
      : new RequestError("ResourceTypeUnavailable", 400, `${place}: ${why}`);
  }
};

interface Level {
  readonly ports: TypePorts;
  readonly source: TemplateSource;
  readonly template: Template;
  readonly values: ReadonlyMap<string, Json>;
  readonly depth: number;
  readonly nests: NestCount;
  readonly budget: SharedBudget;
  readonly lookup: Lookup;
  readonly isPreview: boolean;
  readonly copies: number;
  readonly membersEach: number;
}

/** As in Heat, each resource is followed by its nested template, if that is known. */
const checkLevel = async (level: Level, options: ValidationOptions): Promise<void> => {
  const { ports, source, template, lookup, values } = level;
  const { faults = FIRST_FAULT } = options;
  for (const definition of validating(template, values, source, lookup, options)) {
    try {
      if (definition !== undefined) await checkNest(level, definition);
    } catch (error) {
      faults.note(error);
    }
    await pauseIfDue(ports);
  }
  faults.settle();
};

const checkNest = async (level: Level, definition: ResourceDefinition): Promise<void> => {
  const { ports, source, template, values, lookup } = level;
  const name = definedTypeName(source, definition);
  const nests = (await ports.resourceTypes.get(name))?.nesting;
  if (nests === undefined) return;
  if (definition.externalId !== null) {
    const place = placeIn("resources", definition.name);
    throw validationFailed(
      `${place}.external_id: A nested stack (${definition.type}) cannot be external`,
    );
  }
  const isTemplate = isTemplateName(name);
  const known = nests.checksUnknown
    ? readableInitially(level, definition, lookup, nests.readLater ?? [])
    : knownProperties(template, values, source, definition, level.budget);
  if (known !== null && (isTemplate || hasTemplate(nests, known)))
    await checkNestWith(level, definition, { name, nests, known });
  if (isTemplate) await checkFacade(ports, source, definition);
};

interface KnownNest {
  readonly name: string;
  readonly nests: Nests;
  readonly known: JsonObject;
}

const checkNestWith = async (
  level: Level,
  definition: ResourceDefinition,
  { name, nests, known }: KnownNest,
): Promise<void> => {
  const { template, values, depth } = level;
  const isTemplate = isTemplateName(name);
  let isRead = false;
  try {
    checkDepth(depth + 1);
    const above = { ...level, parameters: values };
    const given = withTemplateText(level, definition, nests, known);
    isRead = true;
    const nested = (await nestedTarget(above, definition, nests, given)).source;
    await checkNested(level, nested, isTemplate);
    await checkMembers(level, nested, nests);
  } catch (error) {
    // The whole tree is too large, so no single place in it is named.
    if (level.nests.isExceeded) throw error;
    if (nests.tellsUnknownTypesAlone && isUnknownType(error)) throw error;
    if (nests.isRemote) throw remoteError(error, isRead);
    const file = isTemplate ? name : (nests.placeName ?? null);
    throw nestedError(error, nestedPlace(template, definition.name, file));
  }
};

const checkMembers = async (
  { ports, isPreview }: Level,
  source: TemplateSource,
  { memberType }: Nests,
): Promise<void> => {
  const isEmptyGroup = source.group === undefined || sizeOf(source.group) === 0;
  if (isPreview || memberType === undefined || isEmptyGroup) return;
  const member = { name: "", type: memberType };
  const type = await ports.resourceTypes.get(definedTypeName(source, member));
  if (type?.withoutProvider !== undefined) throw validationFailed(type.withoutProvider);
};

const hasTemplate = (nests: Nests, known: JsonObject): boolean =>
  nests.checksUnknown === true || (member(known, nests.templateProperty ?? "") ?? null) !== null;

/** Heat reads this property even where it does not check other values. */
const withTemplateText = (
  { template, lookup }: Level,
  definition: ResourceDefinition,
  { templateProperty = "" }: Nests,
  known: JsonObject,
): JsonObject => {
  const type = lookup(definition.type, definition.name);
  if (type === null || member(known, templateProperty) === undefined) return known;
  const read = readableProperties({ template, definition, type, values: known });
  return mergedMaps<Json>(known, { [templateProperty]: read[templateProperty] ?? null });
};

/** As in Heat, a default of the environment replaces a template type's own. */
const withDefaults = (parsed: ParsedTemplate, defaults: JsonObject): ParsedTemplate => {
  const parameters = [...parsed.parameters].map(([name, schema]) => {
    const value = member(defaults, name);
    return [name, value === undefined ? schema : { ...schema, default: value }] as const;
  });
  return { ...parsed, parameters: new Map(parameters) };
};

const asChecked = (
  source: TemplateSource,
): { readonly source: TemplateSource; readonly size: number | null } =>
  source.group === undefined
    ? { source, size: null }
    : {
        source: { ...source, group: representatives(source.group) },
        size: sizeOf(source.group),
      };

const membersEach = (size: number | null, { resources }: Template): number =>
  size === null ? 1 : size / Math.max(1, resources.size);

/** Less strict than for a root: Heat reports wrong values when it creates the nested stack. */
const checkNested = async (
  above: Level,
  given: TemplateSource,
  isTemplate: boolean,
): Promise<void> => {
  const { ports, nests, budget, isPreview } = above;
  const { parameters, parameterDefaults } = given.environment;
  const { source, size } = asChecked(given);
  const written = parseTemplate(source.template);
  const parsed = isTemplate ? withDefaults(written, parameterDefaults) : written;
  const own = mapOf(Object.entries(parameters).filter(([name]) => parsed.parameters.has(name)));
  const values = knownValues(parsed, { parameters: own, parameterDefaults });
  const options = { strict: false, plugins: true, budget };
  const { template, lookup } = await bindWithTypes(ports, source, values, { budget });
  const copies = above.copies * above.membersEach;
  nests.add(size ?? template.resources.size, copies);
  const stands = { copies, membersEach: membersEach(size, template), depth: above.depth + 1 };
  const level = { ports, source, template, lookup, values, nests, budget, isPreview, ...stands };
  await checkLevel(level, options);
  if (!isPreview) refuseWithoutProvider(level);
};

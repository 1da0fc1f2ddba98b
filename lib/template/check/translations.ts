/**
 * Translates old names of properties to new ones, as Heat's Translation does. It is pure and
 * converts nothing; asking a cloud for the ID behind a name is not its job.
 */
import { RequestError } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import type {
  Addition,
  PropertyPath,
  PropertySchemas,
  Replacement,
  Translation,
  TranslationSource,
} from "#lib/model/property-schema.ts";
import { isEmpty, isJsonArray, member } from "../json-shape.ts";
import { noAttribute } from "../python-text.ts";

export interface Translator {
  /** Only rules whose `when` is not empty, each with that value. */
  readonly rules: readonly AppliedRule[];
  readonly schemas: PropertySchemas;
  readonly given: JsonObject;
  readonly owner: string;
}

export interface AppliedRule {
  readonly rule: Translation;
  readonly condition: Json;
}

/** Names that exclude each other. Heat reports them even where it does not check values. */
export class NamesConflict extends RequestError {
  constructor(message: string) {
    super("StackValidationFailed", 400, message);
  }
}

export interface TranslatedPlace {
  readonly path: string;
  readonly siblings: JsonObject;
  /** The value of a property of the resource, untranslated, or null. */
  readonly property: (name: string) => Json;
  readonly conflict: (message: string) => RequestError;
  readonly wrongList: (message: string) => RequestError;
  readonly wrongSource: (message: string) => RequestError;
}

const withoutPositions = (path: string): string =>
  path
    .split(".")
    .filter((step) => !/^\d+$/.test(step))
    .join(".");

const isAt = (path: PropertyPath, key: string): boolean => path.join(".") === key;

export const targetOf = (rule: Translation): PropertyPath => {
  if ("replace" in rule) return rule.replace;
  return "add" in rule ? rule.add : rule.delete;
};

export const sourceOf = (rule: Translation): PropertyPath | null => {
  if ("delete" in rule) return null;
  const source = "replace" in rule ? rule.by : rule.from;
  if ("value" in source) return null;
  if ("property" in source) return source.property;
  return [...targetOf(rule).slice(0, -1), source.sibling, ...(source.below ?? [])];
};

const oldNameOf = (rule: Translation): PropertyPath | null =>
  "delete" in rule ? rule.delete : "replace" in rule ? sourceOf(rule) : null;

export const oldNamesOf = (translations: readonly Translation[]): readonly PropertyPath[] =>
  translations.map(oldNameOf).filter((path) => path !== null);

export const isTranslatedAway = ({ rules }: Translator, path: string): boolean => {
  const key = withoutPositions(path);
  return oldNamesOf(rules.map(({ rule }) => rule)).some((away) => isAt(away, key));
};

export const rulesFor = ({ rules }: Translator, path: string): readonly AppliedRule[] => {
  const key = withoutPositions(path);
  const own = rules.filter(({ rule }) => isAt(targetOf(rule), key));
  return [
    ...own.filter(({ rule }) => "add" in rule),
    ...own.filter(({ rule }) => "replace" in rule),
    ...own.filter(({ rule }) => "delete" in rule),
  ];
};

const below = (value: Json, path: PropertyPath, at: TranslatedPlace): Json => {
  const [step, ...rest] = path;
  if (step === undefined || value === null) return value;
  if (isJsonArray(value)) {
    return value.map((item) => {
      if (isEmpty(item)) return null;
      if (isJsonObject(item)) return below(member(item, step) ?? null, rest, at);
      throw at.wrongSource(noAttribute(item, "_get_property_value"));
    });
  }
  return isJsonObject(value) ? below(member(value, step) ?? null, rest, at) : null;
};

const sourceValue = (source: TranslationSource, condition: Json, at: TranslatedPlace): Json => {
  if ("value" in source) {
    const own = source.value(condition);
    return isEmpty(own) ? null : own;
  }
  if ("sibling" in source) {
    return below(at.siblings, [source.sibling, ...(source.below ?? [])], at);
  }
  const [name, ...rest] = source.property;
  return name === undefined ? null : below(at.property(name), rest, at);
};

const replaced = (
  rule: Translation & Replacement,
  condition: Json,
  value: Json,
  at: TranslatedPlace,
): Json => {
  const other = sourceValue(rule.by, condition, at);
  const source = sourceOf(rule);
  if (source !== null && !isEmpty(other) && !isEmpty(value)) {
    const names = `${withoutPositions(at.path)}, ${source.join(".")}`;
    throw at.conflict(`Cannot define the following properties at the same time: ${names}`);
  }
  return other ?? value;
};

/** As in Heat, the rule also applies to each item and fails there, so only empty lists grow. */
const added = (rule: Addition, condition: Json, value: Json, at: TranslatedPlace): Json => {
  const list = value ?? [];
  if (!isJsonArray(list)) {
    throw at.wrongList(
      `Incorrect translation rule using - cannot resolve Add rule for non-list translation value "${at.path}".`,
    );
  }
  const more = sourceValue(rule.from, condition, at);
  if (more === null) return list;
  return isJsonArray(more) ? [...list, ...more] : [...list, more];
};

export const translated = (
  rules: readonly AppliedRule[],
  written: Json,
  at: TranslatedPlace,
): Json =>
  rules.reduce<Json>((value, { rule, condition }) => {
    if ("add" in rule) return added(rule, condition, value, at);
    return "replace" in rule ? replaced(rule, condition, value, at) : null;
  }, written);

/** The properties that decide what a property becomes, besides its own value. */
export const sourcesOf = (translations: readonly Translation[], key: string): readonly string[] =>
  translations
    .filter((rule) => targetOf(rule)[0] === key)
    .flatMap((rule) => [sourceOf(rule)?.[0], rule.when])
    .filter((name): name is string => name !== undefined && name !== key);

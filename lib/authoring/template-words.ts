/** The keys of template formats and environments, to suggest the right one for a mistyped word. */
import type { JsonObject } from "#lib/json.ts";
import { ENVIRONMENT_SECTIONS } from "#lib/template/environment/environment.ts";
import {
  CFN_VERSIONS,
  formatOf,
  VERSION_ALIASES,
  VERSION_KEY,
  VERSION_KEYS,
  VERSIONS,
  type Version,
} from "#lib/template/format.ts";
import { RULES } from "#lib/template/parameters/parameter-constraint.ts";
import {
  CFN_PARAMETER_KEYS,
  CFN_PARAMETER_TYPES,
  PARAMETER_KEYS,
  PARAMETER_TYPES,
} from "#lib/template/parameters/parameter-schema.ts";

const LATER_PARAMETER_WORDS: readonly string[] = ["tags", "min", "max", "step", "offset"];

const wordsOf = (version: Version): readonly string[] => {
  const { sections, resource, output } = formatOf(version);
  return [sections, resource, output]
    .flatMap(Object.values)
    .filter((word) => typeof word === "string");
};

const HOT_WORDS: readonly string[] = [
  VERSION_KEY,
  ...VERSIONS,
  ...Object.keys(VERSION_ALIASES),
  ...VERSIONS.slice(-1).flatMap(wordsOf),
  ...PARAMETER_KEYS,
  ...LATER_PARAMETER_WORDS,
  ...Object.keys(RULES),
  ...PARAMETER_TYPES,
];

const CFN_WORDS: readonly string[] = [
  ...CFN_VERSIONS.flatMap((version) => version.split(".")),
  ...CFN_VERSIONS.flatMap(wordsOf),
  ...CFN_PARAMETER_KEYS,
  ...CFN_PARAMETER_TYPES,
];

export const documentWords = (document: JsonObject): readonly string[] => {
  const key = VERSION_KEYS.find((one) => Object.hasOwn(document, one));
  if (key === undefined) return [...VERSION_KEYS, ...ENVIRONMENT_SECTIONS];
  return key === VERSION_KEY ? HOT_WORDS : CFN_WORDS;
};

/** heatclient knows only the first key. CloudFormation's formats use the second one. */
const TYPE_KEYS: readonly string[] = ["type", "Type"];

export const typeKeysOf = (template: JsonObject): readonly string[] =>
  Object.hasOwn(template, VERSION_KEY) ? TYPE_KEYS.slice(0, 1) : TYPE_KEYS;

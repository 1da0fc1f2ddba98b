/** The words of the template formats and of environments, for authors who mistyped one. */
import type { JsonObject } from "#lib/json.ts";
import { CFN_PARAMETER_KEYS, CFN_PARAMETER_TYPES } from "#lib/template/cfn-parameters.ts";
import { ENVIRONMENT_SECTIONS } from "#lib/template/environment.ts";
import { formatOf } from "#lib/template/format.ts";
import { RULES } from "#lib/template/parameter-constraint.ts";
import { PARAMETER_KEYS, PARAMETER_TYPES } from "#lib/template/parameter-schema.ts";
import {
  CFN_VERSIONS,
  VERSION_ALIASES,
  VERSION_KEY,
  VERSION_KEYS,
  VERSIONS,
  type Version,
} from "#lib/template/versions.ts";

/** A key that only later versions have, and those inside of constraints. */
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

/** Those of the document's own format. A document without a version is an environment. */
export const documentWords = (document: JsonObject): readonly string[] => {
  const key = VERSION_KEYS.find((one) => Object.hasOwn(document, one));
  if (key === undefined) return [...VERSION_KEYS, ...ENVIRONMENT_SECTIONS];
  return key === VERSION_KEY ? HOT_WORDS : CFN_WORDS;
};

/** heatclient knows the first one only. CloudFormation's formats have a word of their own. */
const TYPE_KEYS: readonly string[] = ["type", "Type"];

/** The keys under which a template names another one as a type. */
export const typeKeysOf = (template: JsonObject): readonly string[] =>
  Object.hasOwn(template, VERSION_KEY) ? TYPE_KEYS.slice(0, 1) : TYPE_KEYS;

/** The functions of each version. To add a function, add a file to this folder and a line here. */
import { isJsonObject, type Json } from "#lib/json.ts";
import {
  CFN_VERSIONS,
  type CfnVersion,
  formatOf,
  type HotVersion,
  isCfn,
  VERSIONS,
  type Version,
} from "../format.ts";
import { isJsonArray, singleMember } from "../json-shape.ts";
import {
  cfnBase64,
  cfnSelect,
  cfnSplit,
  findInMap,
  getAvailabilityZones,
  memberListToMap,
  ref,
} from "./cloudformation.ts";
import {
  CFN_CONDITION_FUNCTIONS,
  CONDITION_FUNCTIONS,
  cfnChoose,
  choose,
  chooseOrRemove,
  isRemoved,
} from "./condition-functions.ts";
import { digest } from "./digest.ts";
import type { TemplateFunction } from "./function.ts";
import { cfnJoin, listJoin, listJoinMultiple, strSplit } from "./join-and-split.ts";
import {
  contains,
  filter,
  listConcat,
  listConcatUnique,
  mapMerge,
  mapReplace,
} from "./lists-and-maps.ts";
import { makeUrl } from "./make-url.ts";
import {
  cfnResourceFacade,
  getAtt,
  getAttr,
  getAttrOrAll,
  getFile,
  getParam,
  getResource,
  resourceFacade,
} from "./references.ts";
import { repeat, repeatMaps, repeatPermutations } from "./repeat.ts";
import {
  cfnReplace,
  strReplace,
  strReplaceJson,
  strReplaceStrict,
  strReplaceVeryStrict,
} from "./str-replace.ts";
import { yaql, yaqlInConditions } from "./yaql.ts";

/** Later versions know this function of the first version only to refuse it. */
const removed = (name: string): TemplateFunction => ({
  name,
  refuse: () => null,
  refuseLater: () =>
    `The template version is invalid: The function ${name} is not supported in this version of HOT.`,
  mayStandInCondition: true,
  hidesArguments: true,
  evaluate: () => null,
});

const outOfPlace = (name: string): TemplateFunction => ({
  name,
  refuse: () => `The function "${name}" is invalid in this context`,
  evaluate: () => null,
});

const CLOUDFORMATION_FUNCTIONS = [
  ref,
  getAvailabilityZones,
  cfnJoin,
  cfnSplit,
  cfnReplace,
  cfnBase64,
  memberListToMap,
  cfnResourceFacade,
];

const CHANGES: Readonly<Record<HotVersion, readonly TemplateFunction[]>> = {
  "2013-05-23": [
    getParam,
    getResource,
    getAttr,
    getFile,
    listJoin,
    strReplace,
    resourceFacade,
    cfnSelect,
    ...CLOUDFORMATION_FUNCTIONS,
  ],
  "2014-10-16": CLOUDFORMATION_FUNCTIONS.map(({ name }) => removed(name)),
  "2015-04-30": [repeat, digest],
  "2015-10-15": [strSplit, listJoinMultiple, strReplaceJson, getAttrOrAll, removed("Fn::Select")],
  "2016-04-08": [mapMerge],
  "2016-10-14": [yaql, choose, mapReplace, repeatMaps],
  "2017-02-24": [filter, strReplaceStrict],
  "2017-09-01": [
    makeUrl,
    listConcat,
    listConcatUnique,
    contains,
    yaqlInConditions,
    strReplaceVeryStrict,
    repeatPermutations,
  ],
  "2018-03-02": [],
  "2018-08-31": [],
  "2021-04-16": [chooseOrRemove],
};

export type FunctionTable = ReadonlyMap<string, TemplateFunction>;

const tables = new Map<Version, FunctionTable>();
const growing = new Map<string, TemplateFunction>();
for (const version of VERSIONS) {
  for (const definition of CHANGES[version]) growing.set(definition.name, definition);
  tables.set(version, new Map(growing));
}

const CFN_FUNCTIONS = [...CLOUDFORMATION_FUNCTIONS, cfnSelect, findInMap, getAtt];
const CFN_TABLES: Readonly<Record<CfnVersion, readonly TemplateFunction[]>> = {
  "AWSTemplateFormatVersion.2010-09-09": [...CFN_FUNCTIONS, cfnChoose],
  "HeatTemplateFormatVersion.2012-12-12": CFN_FUNCTIONS,
};
for (const version of CFN_VERSIONS) {
  tables.set(version, new Map(CFN_TABLES[version].map((one) => [one.name, one])));
}

export const functionsOf = (version: Version): FunctionTable => tables.get(version) ?? new Map();

/** HOT versions without conditions have these functions too, as in Heat. */
const ownOfConditions = (version: Version): readonly TemplateFunction[] => {
  if (!isCfn(version)) return CONDITION_FUNCTIONS;
  return version === "AWSTemplateFormatVersion.2010-09-09" ? CFN_CONDITION_FUNCTIONS : [];
};

const inConditions = (version: Version, functions: FunctionTable): FunctionTable =>
  new Map([
    ...[...functions].map(([name, definition]): [string, TemplateFunction] => [
      name,
      definition.mayStandInCondition ? definition : outOfPlace(name),
    ]),
    ...ownOfConditions(version).map((definition) => [definition.name, definition] as const),
  ]);

const conditionTables = new Map(
  [...tables].map(([version, functions]) => [version, inConditions(version, functions)]),
);

export const ownConditionFunctionsOf = (version: Version): FunctionTable =>
  formatOf(version).sections.conditions === null
    ? new Map()
    : new Map(ownOfConditions(version).map((one) => [one.name, one]));

export const conditionFunctionsOf = (version: Version): FunctionTable =>
  conditionTables.get(version) ?? new Map();

export interface Call {
  readonly definition: TemplateFunction;
  readonly args: Json;
}

export const isRemovedCall = (functions: FunctionTable, snippet: Json): boolean => {
  const call = callIn(functions, snippet);
  return call !== null && isRemoved(call.definition, call.args);
};

/** A call is a map whose only key is a function of the version. Everything else is data. */
export const callIn = (functions: FunctionTable, snippet: Json): Call | null => {
  const entry = isJsonObject(snippet) && !isQuoted(snippet) ? singleMember(snippet) : null;
  const definition = entry === null ? undefined : functions.get(entry[0]);
  return entry === null || definition === undefined ? null : { definition, args: entry[1] };
};

const quoted = new WeakSet<object>();

/** Only a map with one key can look like a call. */
export const quote = <Value extends Json>(value: Value): Value => {
  if (isJsonArray(value)) value.forEach(quote);
  if (!isJsonObject(value)) return value;
  if (singleMember(value) !== null) quoted.add(value);
  Object.values(value).forEach(quote);
  return value;
};

const isQuoted = (snippet: object): boolean => quoted.has(snippet);

const secret = new WeakSet<object>();

/** Marks values that stand in the place of snippets, so that they are never read as calls. */
export const quoteSecret = <Value extends Json & object>(value: Value): Value => {
  secret.add(value);
  return quote(value);
};

export const isSecretQuote = (snippet: Json): boolean =>
  isJsonObject(snippet) && secret.has(snippet);

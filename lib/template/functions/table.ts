/** The functions of each version. A new function is one file beside this one and one line here. */
import { isJsonObject, type Json } from "#lib/json.ts";
import { singleMember } from "../json-shape.ts";
import { VERSIONS, type Version } from "../versions.ts";
import { cfnBase64, cfnSplit, getAvailabilityZones } from "./cloudformation.ts";
import { contains } from "./contains.ts";
import { digest } from "./digest.ts";
import { filter } from "./filter.ts";
import type { TemplateFunction } from "./function.ts";
import { getAttr, getAttrOrAll } from "./get-attr.ts";
import { getFile } from "./get-file.ts";
import { getParam } from "./get-param.ts";
import { getResource } from "./get-resource.ts";
import { listConcat, listConcatUnique } from "./list-concat.ts";
import { cfnJoin, listJoin, listJoinMultiple } from "./list-join.ts";
import { makeUrl } from "./make-url.ts";
import { mapMerge } from "./map-merge.ts";
import { mapReplace } from "./map-replace.ts";
import { memberListToMap } from "./member-list-to-map.ts";
import { ref } from "./ref.ts";
import { repeat, repeatMaps, repeatPermutations } from "./repeat.ts";
import { cfnSelect } from "./select.ts";
import {
  cfnReplace,
  strReplace,
  strReplaceJson,
  strReplaceStrict,
  strReplaceVeryStrict,
} from "./str-replace.ts";
import { strSplit } from "./str-split.ts";
import { yaql } from "./yaql.ts";

/** Heat has this function and Hearth does not. The call must not pass as a plain map. */
const notBuilt = (name: string): TemplateFunction => ({
  name,
  refuse: () => `The function "${name}" is not supported yet`,
  evaluate: () => null,
});

/** Later versions know this function of the first version only to refuse it. */
const removed = (name: string): TemplateFunction => ({
  name,
  refuse: () => null,
  refuseLater: () =>
    `The template version is invalid: The function ${name} is not supported in this version of HOT.`,
  hidesArguments: true,
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
  notBuilt("Fn::ResourceFacade"),
];

/** What each version adds to the one before it or replaces in it. */
const CHANGES: Readonly<Record<Version, readonly TemplateFunction[]>> = {
  "2013-05-23": [
    getParam,
    getResource,
    getAttr,
    getFile,
    listJoin,
    strReplace,
    notBuilt("resource_facade"),
    cfnSelect,
    ...CLOUDFORMATION_FUNCTIONS,
  ],
  "2014-10-16": CLOUDFORMATION_FUNCTIONS.map(({ name }) => removed(name)),
  "2015-04-30": [repeat, digest],
  "2015-10-15": [strSplit, listJoinMultiple, strReplaceJson, getAttrOrAll, removed("Fn::Select")],
  "2016-04-08": [mapMerge],
  "2016-10-14": [yaql, notBuilt("if"), mapReplace, repeatMaps],
  "2017-02-24": [filter, strReplaceStrict],
  "2017-09-01": [
    makeUrl,
    listConcat,
    listConcatUnique,
    contains,
    strReplaceVeryStrict,
    repeatPermutations,
  ],
  "2018-03-02": [],
  "2018-08-31": [],
  "2021-04-16": [],
};

export type FunctionTable = ReadonlyMap<string, TemplateFunction>;

const tables = new Map<Version, FunctionTable>();
const growing = new Map<string, TemplateFunction>();
for (const version of VERSIONS) {
  for (const definition of CHANGES[version]) growing.set(definition.name, definition);
  tables.set(version, new Map(growing));
}

export const functionsOf = (version: Version): FunctionTable => tables.get(version) ?? new Map();

export interface Call {
  readonly definition: TemplateFunction;
  readonly args: Json;
}

/** A call is a map whose only key is a function of the version. All else is data. */
export const callIn = (functions: FunctionTable, snippet: Json): Call | null => {
  const entry = isJsonObject(snippet) ? singleMember(snippet) : null;
  const definition = entry === null ? undefined : functions.get(entry[0]);
  return entry === null || definition === undefined ? null : { definition, args: entry[1] };
};

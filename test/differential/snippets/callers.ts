import {
  CFN_VERSIONS,
  type HotVersion,
  isCfn,
  VERSIONS,
  type Version,
} from "#lib/template/format.ts";
import { CFN_CALLS, CFN_SELECT, FIND_IN_MAP } from "./cfn-calls.ts";
import {
  CFN_CONDITION_CALLS,
  CFN_IF,
  CONDITION_CALLS,
  IF,
  IF_OR_NOTHING,
} from "./condition-calls.ts";
import { CONTAINS, LIST_CALLS, REPEAT_OVER_MAPS, REPEAT_WITH_PERMUTATIONS } from "./list-calls.ts";
import { MAP_CALLS } from "./map-calls.ts";
import {
  GET_ATT,
  GET_ATTR_OR_ALL,
  GET_PARAM,
  REF_TO_PARAMETER,
  REFERENCE_CALLS,
} from "./reference-calls.ts";
import { LATER_TEXT_CALLS, TEXT_CALLS } from "./text-calls.ts";
import type { Caller } from "./world.ts";
import { YAQL } from "./yaql-calls.ts";

const named = (callers: readonly Caller[], ...names: readonly string[]): readonly Caller[] =>
  callers.filter(({ name }) => names.includes(name));

const CHANGES: Readonly<Record<HotVersion, readonly Caller[]>> = {
  "2013-05-23": [
    ...REFERENCE_CALLS,
    ...named(TEXT_CALLS, "list_join", "str_replace", "get_file"),
    ...CFN_CALLS,
    CFN_SELECT,
  ],
  "2014-10-16": [],
  "2015-04-30": [...named(LIST_CALLS, "repeat"), ...named(TEXT_CALLS, "digest")],
  "2015-10-15": [...named(LIST_CALLS, "str_split"), ...LATER_TEXT_CALLS, GET_ATTR_OR_ALL],
  "2016-04-08": named(MAP_CALLS, "map_merge"),
  "2016-10-14": [YAQL, IF, ...named(MAP_CALLS, "map_replace"), REPEAT_OVER_MAPS],
  "2017-02-24": [...named(LIST_CALLS, "filter"), ...named(TEXT_CALLS, "str_replace_strict")],
  "2017-09-01": [
    ...named(TEXT_CALLS, "make_url", "str_replace_vstrict"),
    ...named(LIST_CALLS, "list_concat", "list_concat_unique"),
    CONTAINS,
    REPEAT_WITH_PERMUTATIONS,
  ],
  "2018-03-02": [],
  "2018-08-31": [],
  "2021-04-16": [IF_OR_NOTHING],
};

const REMOVED: Partial<Record<HotVersion, readonly Caller[]>> = {
  "2014-10-16": CFN_CALLS,
  "2015-10-15": [CFN_SELECT],
};

/** A version can call one function in several ways. What a version changes replaces all of them. */
const growing = (): ReadonlyMap<Version, readonly Caller[]> => {
  const tables = new Map<Version, readonly Caller[]>();
  let known: readonly Caller[] = [];
  for (const version of VERSIONS) {
    const added = CHANGES[version];
    const gone = new Set([...added, ...(REMOVED[version] ?? [])].map(({ name }) => name));
    known = [...known.filter(({ name }) => !gone.has(name)), ...added];
    tables.set(version, known);
  }
  return tables;
};

const HOT = growing();
const CFN = [...CFN_CALLS, CFN_SELECT, FIND_IN_MAP, GET_ATT];

export const callersOf = (version: Version): readonly Caller[] => {
  if (!isCfn(version)) return HOT.get(version) ?? [];
  return version === "AWSTemplateFormatVersion.2010-09-09" ? [...CFN, CFN_IF] : CFN;
};

export const conditionCallersOf = (version: Version): readonly Caller[] => {
  if (version === "AWSTemplateFormatVersion.2010-09-09") {
    return [...CFN_CONDITION_CALLS, REF_TO_PARAMETER, FIND_IN_MAP];
  }
  if (isCfn(version) || version < "2016-10-14") return [];
  const later = version < "2017-09-01" ? [] : [YAQL, CONTAINS];
  return [...CONDITION_CALLS, GET_PARAM, ...later];
};

export const FUNCTION_NAMES: ReadonlySet<string> = new Set(
  [...VERSIONS, ...CFN_VERSIONS].flatMap((version) =>
    [...callersOf(version), ...conditionCallersOf(version)].map(({ name }) => name),
  ),
);

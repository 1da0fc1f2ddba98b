import { CFN_VERSIONS, VERSIONS, type Version } from "#lib/template/format.ts";
import {
  conditionFunctionsOf,
  type FunctionTable,
  functionsOf,
} from "#lib/template/functions/table.ts";

interface Change {
  readonly version: Version;
  readonly adds: readonly string[];
  readonly removes: readonly string[];
}

const LATEST = "2021-04-16";

/** A function that a version only refuses has no description. */
const usable = (functions: FunctionTable): FunctionTable =>
  new Map([...functions].filter(([, { description }]) => description !== undefined));

const changedFrom = (before: FunctionTable, version: Version): Change => {
  const now = usable(functionsOf(version));
  return {
    version,
    adds: [...now.keys()].filter((name) => before.get(name) !== now.get(name)).sort(),
    removes: [...before.keys()].filter((name) => !now.has(name)).sort(),
  };
};

export const documentedChanges = (): readonly Change[] =>
  VERSIONS.map((version, at) => {
    const former = VERSIONS[at - 1];
    return changedFrom(former === undefined ? new Map() : usable(functionsOf(former)), version);
  });

const ROW = /^\| (\d{4}-\d{2}-\d{2})(?:, \w+)? \|(.*)\|(.*)\|$/;

const functionsIn = (cell: string, known: ReadonlySet<string>): readonly string[] =>
  [...cell.matchAll(/`([^`]+)`/g)]
    .flatMap(([, word = ""]) => (known.has(word) ? [word] : []))
    .sort();

export const changesInTable = (page: string): readonly Change[] => {
  const known = new Set(VERSIONS.flatMap((version) => [...functionsOf(version).keys()]));
  return page.split("\n").flatMap((line): readonly Change[] => {
    const [, date, adds = "", removes = ""] = ROW.exec(line) ?? [];
    const version = VERSIONS.find((one) => one === date);
    if (version === undefined) return [];
    return [{ version, adds: functionsIn(adds, known), removes: functionsIn(removes, known) }];
  });
};

export const functionNames = (): readonly string[] => {
  const versions: readonly Version[] = [LATEST, ...CFN_VERSIONS];
  const names = versions.flatMap((version) => [
    ...usable(functionsOf(version)).keys(),
    ...usable(conditionFunctionsOf(version)).keys(),
  ]);
  return [...new Set(names)].sort();
};

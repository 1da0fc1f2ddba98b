/** The page of limits, generated from the constants that the code uses. */

import { type NamedLimit, namedLimits } from "./named-limits.ts";
import { block, code, GENERATED, type Page, page, table } from "./reference/markdown.ts";
import { fromReference } from "./reference-links.ts";

const CHAPTERS: readonly (readonly [heading: string, paths: RegExp])[] = [
  ["On AWS", /^(?:infra|functions\/aws)\//],
  ["On an embedded host", /^(?:apps\/host|lib\/adapters\/sqlite)\//],
  ["Templates, environments and functions", /^lib\/(?:template|yaql|pattern|authoring)\//],
  ["Software and signals", /^lib\/(?:software-config|resources|ports\/uploads)|\/software-/],
  ["Traversals and messages", /^lib\/(?:convergence|ports\/queue)/],
  ["Requests and stacks", /^/],
];

const KIBI = 1_024;
const SECOND_MS = 1_000;

/** Uses the first unit that gives a whole number, such as 2 hours for 7,200,000 ms. */
const inUnits = (value: number, units: readonly (readonly [string, number])[]): string => {
  const fits = ([unit, one]: readonly [string, number]): boolean =>
    value % one === 0 && !(value === one && unit.length > 3);
  const [unit = "", size = 1] = units.find(fits) ?? [];
  return `${(value / size).toLocaleString("en")} ${unit}`;
};

const bytes = (value: number) =>
  inUnits(value, [
    ["MiB", KIBI * KIBI],
    ["KiB", KIBI],
    ["bytes", 1],
  ]);

const duration = (value: number) =>
  inUnits(value, [
    ["days", 24 * 3_600 * SECOND_MS],
    ["hours", 3_600 * SECOND_MS],
    ["minutes", 60 * SECOND_MS],
    ["s", SECOND_MS],
    ["ms", 1],
  ]);

const characters = (value: number) =>
  inUnits(value, [
    ["Mi characters", KIBI * KIBI],
    ["characters", 1],
  ]);

const BY_UNIT: Readonly<Record<string, (value: number) => string>> = {
  BYTES: bytes,
  MS: duration,
  SECONDS: (value) => duration(value * SECOND_MS),
  MINS: (value) => duration(value * 60 * SECOND_MS),
  MB: (value) => `${value.toLocaleString("en")} MB`,
  CHARS: characters,
  CHARACTERS: characters,
};

const row = ({ path, name, value, unit, limit, beyond }: NamedLimit): readonly string[] => [
  `${limit.charAt(0).toUpperCase()}${limit.slice(1)}`,
  BY_UNIT[unit]?.(value) ?? value.toLocaleString("en"),
  fromReference(beyond),
  `[${code(name)}](../../${path})`,
];

export const limitsPage = (limits: readonly NamedLimit[] = namedLimits()): Page => {
  const chapterOf = ({ path }: NamedLimit) => CHAPTERS.find(([, paths]) => paths.test(path))?.[0];
  const chapters = CHAPTERS.toReversed().flatMap(([heading]) => {
    const rows = limits.filter((limit) => chapterOf(limit) === heading).map(row);
    return rows.length === 0
      ? []
      : [...block(`## ${heading}`), ...table(["limit", "value", "beyond it", "constant"], rows)];
  });
  return {
    name: "limits.md",
    text: page([
      ...block("# Limits"),
      ...block(...GENERATED),
      ...block(
        "What users can meet, with the constant that the code obeys. An operator may change some of them: see [the settings](settings.md) on AWS, and [hearth serve](commands.md#hearth-serve).",
        "[Operations](../operations.md#limits-of-aws) has the limits of AWS itself.",
        "The protocol's own constants, and how they depend on each other, are [beside its rules](../rules/limits.md).",
      ),
      ...chapters,
    ]),
  };
};

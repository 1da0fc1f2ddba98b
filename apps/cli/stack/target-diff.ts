import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";
import type picocolors from "picocolors";
import { stringify } from "yaml";
import { REDACTED } from "#client/masked-urls.ts";
import { type Json, type JsonObject, mapOf, mergedMaps } from "#lib/json.ts";
import { sectionOf } from "#lib/template/json-shape.ts";
import { hiddenParameterNames } from "#lib/template/parameters/parameters.ts";
import { parseTemplate } from "#lib/template/parse/parse.ts";
import { printable, YAML } from "../print.ts";

/** A target in the form of the API, with the values of hidden parameters redacted. */
export interface TargetText {
  readonly template: JsonObject;
  readonly environment: JsonObject;
  readonly files: Readonly<Record<string, string>>;
}

export interface RequestedTarget {
  /** The request changes the current target, and does not replace it. */
  readonly keeps: boolean;
  readonly template?: JsonObject;
  readonly environment: JsonObject;
  readonly files: Readonly<Record<string, string>>;
  readonly parameters: JsonObject;
  readonly clear_parameters?: readonly string[];
}

const SECTIONS = ["parameters", "parameter_defaults", "resource_registry"] as const;
const CONTEXT_LINES = 3;

const redacted = (values: JsonObject, isHidden: (name: string) => boolean): JsonObject =>
  mapOf(Object.entries(values).map(([name, value]) => [name, isHidden(name) ? REDACTED : value]));

/** Merges as the engine does: an environment wins over parameters. */
export const targetAfter = (current: TargetText, request: RequestedTarget): TargetText => {
  const { template = current.template, clear_parameters: cleared = [] } = request;
  const base = request.keeps ? current : { environment: {}, files: {} };
  const hidden = hiddenParameterNames(parseTemplate(template));
  const isHidden = (name: string) =>
    hidden.has(name) || sectionOf(current.environment, "parameters")[name] === REDACTED;
  const stored = Object.entries(sectionOf(base.environment, "parameters"));
  const kept = mapOf(stored.filter(([name]) => !cleared.includes(name)));
  const merged = (section: string, former = sectionOf(base.environment, section)): JsonObject =>
    mergedMaps<Json>(former, sectionOf(request.environment, section));
  const parameters = merged("parameters", mergedMaps<Json>(kept, request.parameters));
  const registry = mergedMaps<Json>({ resources: {} }, merged("resource_registry"));
  return {
    template,
    files: mergedMaps(base.files, request.files),
    environment: {
      parameters: redacted(parameters, isHidden),
      parameter_defaults: redacted(merged("parameter_defaults"), isHidden),
      resource_registry: registry,
    },
  };
};

export interface Patch {
  /** `template`, `environment`, or the URL of a file. */
  readonly part: string;
  readonly diff: string;
}

const sorted = (values: JsonObject): JsonObject =>
  mapOf(Object.entries(values).toSorted(([one], [other]) => (one < other ? -1 : 1)));

const environmentText = (environment: JsonObject): string =>
  stringify(mapOf(SECTIONS.map((name) => [name, sorted(sectionOf(environment, name))])), YAML);

export const targetPatches = (before: TargetText, after: TargetText): readonly Patch[] => {
  const urls = [...new Set([...Object.keys(before.files), ...Object.keys(after.files)])];
  const parts: readonly (readonly [part: string, before: string, after: string])[] = [
    ["template", stringify(before.template, YAML), stringify(after.template, YAML)],
    ["environment", environmentText(before.environment), environmentText(after.environment)],
    ...urls.map((url) => [url, before.files[url] ?? "", after.files[url] ?? ""] as const),
  ];
  return parts
    .filter(([, one, other]) => one !== other)
    .map(([part, one, other]) => ({ part, diff: unified(part, one, other) }));
};

const unified = (part: string, before: string, after: string): string =>
  createTwoFilesPatch(`${part} (now)`, `${part} (then)`, before, after, undefined, undefined, {
    context: CONTEXT_LINES,
    headerOptions: FILE_HEADERS_ONLY,
  });

type Colors = ReturnType<typeof picocolors.createColors>;

export const patchLines = (patches: readonly Patch[], colors: Colors): readonly string[] =>
  patches.flatMap(({ diff }) =>
    diff
      .trimEnd()
      .split("\n")
      .map((line) => paint(colors, printable(line))),
  );

const paint = (colors: Colors, line: string): string => {
  if (line.startsWith("@@")) return colors.cyan(line);
  if (line.startsWith("+")) return colors.green(line);
  return line.startsWith("-") ? colors.red(line) : line;
};

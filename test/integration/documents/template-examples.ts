/**
 * The examples in a fragment of a template. Each entry is one, and a comment says what it gives:
 *
 *     name: { get_param: name }   # gives: web
 *     part: { get_param: port, x: 1 }
 *     # gives: { get_param: port, x: 1 }
 */
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { parseText } from "#lib/template/yaml/yaml.ts";
import type { Block } from "./document-blocks.ts";

export type Expected =
  | { readonly gives: Json }
  | { readonly error: string }
  | { readonly refused: string };

export interface Example {
  readonly name: string;
  readonly source: Json;
  /** Null: the entry is only there for other examples of the fragment. */
  readonly expected: Expected | null;
}

export interface Fragment {
  readonly section: string | null;
  readonly examples: readonly Example[];
}

const SECTION =
  /^(?:parameters|conditions|resources|outputs|Parameters|Conditions|Resources|Outputs)$/;
const WORDS = /(?:^|\s)# (gives|error|refused): (.*)$/;
/** A longer text continues in lines with a wider comment. */
const MORE = /^\s*# {3,}(.*)$/;

const expectedIn = (lines: readonly string[]): Expected | null => {
  const start = lines.findIndex((line) => WORDS.test(line));
  const [, word, first = ""] = WORDS.exec(lines[start] ?? "") ?? [];
  if (word === undefined) return null;
  const rest = lines.slice(start + 1).map((line) => MORE.exec(line)?.[1]);
  const end = rest.indexOf(undefined);
  const text = [first, ...(end < 0 ? rest : rest.slice(0, end))].join(" ").trim();
  if (word === "gives") return { gives: parseText(text) };
  return word === "error" ? { error: text } : { refused: text };
};

const linesOfEntries = (
  lines: readonly string[],
  indent: number,
): readonly (readonly string[])[] => {
  const entries: string[][] = [];
  const begins = new RegExp(`^ {${indent}}[^\\s#]`);
  for (const line of lines) {
    if (begins.test(line)) entries.push([line]);
    else entries.at(-1)?.push(line);
  }
  return entries;
};

const examplesIn = (
  entries: JsonObject,
  lines: readonly string[],
  indent: number,
): readonly Example[] => {
  const parts = linesOfEntries(lines, indent);
  const names = Object.keys(entries);
  if (parts.length !== names.length) {
    throw new Error(`${parts.length} entries begin in the lines, but there are ${names.length}`);
  }
  return names.map((name, at) => ({
    name,
    source: entries[name] ?? null,
    expected: expectedIn(parts[at] ?? []),
  }));
};

const SECTION_INDENT = 2;

export const fragmentsOf = ({ text, line }: Block): readonly Fragment[] => {
  const document = parseText(text);
  if (!isJsonObject(document)) throw new Error(`line ${line}: a fragment must be a map`);
  const lines = text.split("\n");
  const isOfSections = Object.keys(document).every((key) => SECTION.test(key));
  const fragments = isOfSections
    ? Object.entries(document).map(([section, entries], at): Fragment => {
        const own = linesOfEntries(lines, 0)[at] ?? [];
        if (!isJsonObject(entries)) throw new Error(`line ${line}: ${section} must be a map`);
        return { section, examples: examplesIn(entries, own.slice(1), SECTION_INDENT) };
      })
    : [{ section: null, examples: examplesIn(document, lines, 0) }];
  const examples = fragments.flatMap((fragment) => fragment.examples);
  const silent = examples.find(({ expected }) => expected === null);
  if (examples.every(({ expected }) => expected === null) || (!isOfSections && silent)) {
    throw new Error(`line ${line}: ${silent?.name ?? "the fragment"} does not say what it gives`);
  }
  return fragments;
};

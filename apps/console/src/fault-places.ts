/** Finds the places of faults in a template. Heat's messages name paths, but no lines. */
import { placesIn, type TextPlace } from "#lib/authoring/document-path.ts";
import { locate } from "#lib/authoring/locate.ts";
import { isJsonObject } from "#lib/json.ts";
import { UnreadableText } from "#lib/template/yaml/source.ts";
import { parseText } from "#lib/template/yaml/yaml.ts";

export interface Fault {
  readonly text: string;
  readonly place: TextPlace | null;
}

/** The message of a parser names its place itself; the last one counts. */
const toldPlace = (text: string): TextPlace | null => {
  const [, line, column] = [...text.matchAll(/line (\d+), column (\d+)/g)].at(-1) ?? [];
  return line === undefined ? null : { line: Number(line), column: Number(column) };
};

/** @returns null when the template is not a readable map. */
const finderIn = (template: string): ((text: string) => TextPlace | null) | null => {
  try {
    const document = parseText(template);
    if (!isJsonObject(document)) return null;
    const places = placesIn(template);
    return (text) => {
      const path = locate(text, document);
      return path.length === 0 ? null : places(path);
    };
  } catch (error) {
    if (error instanceof UnreadableText) return null;
    throw error;
  }
};

export const placedFaults = (template: string, texts: readonly string[]): readonly Fault[] => {
  if (texts.length === 0) return [];
  const find = finderIn(template) ?? toldPlace;
  return texts.map((text) => ({ text, place: find(text) }));
};

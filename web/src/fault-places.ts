/** Where in the text of a template its faults are. Heat's texts name places, but no lines. */
import { placesIn, type TextPlace } from "#lib/authoring/document-path.ts";
import { locate } from "#lib/authoring/locate.ts";
import { isJsonObject } from "#lib/json.ts";
import { UnreadableText } from "#lib/template/yaml/yaml-error.ts";
import { parseText } from "#lib/template/yaml.ts";

export interface Fault {
  readonly text: string;
  /** Null: it is about the whole template. */
  readonly place: TextPlace | null;
}

/** What cannot be read has its own place, the last one that is told. */
const toldPlace = (text: string): TextPlace | null => {
  const [, line, column] = [...text.matchAll(/line (\d+), column (\d+)/g)].at(-1) ?? [];
  return line === undefined ? null : { line: Number(line), column: Number(column) };
};

/** Null: the template is no map that can be read. */
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

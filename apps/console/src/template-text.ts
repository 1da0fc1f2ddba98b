/** Writes a template as YAML. The server keeps the meaning of a template and not its text. */
import { isCollection, isMap, isScalar, parseDocument, visit } from "yaml";

/** Version 1.1 quotes texts that some readers of YAML would read as a date or a boolean. */
const OPTIONS = { version: "1.1", intAsBigInt: true } as const;

/** JSON is parsed as YAML, so numbers and the order of keys stay as they are. */
export const templateText = (template: unknown): string => {
  const document = parseDocument(JSON.stringify(template), OPTIONS);
  visit(document, (_, node) => {
    if (isCollection(node)) node.flow = node.items.length === 0;
    else if (isScalar(node)) delete node.type;
  });
  return document.toString({ lineWidth: 0, indentSeq: false });
};

export interface Passage {
  readonly before: string;
  readonly lines: string;
  readonly after: string;
  readonly line: number;
}

const SECTIONS = ["resources", "Resources"];

/** @returns null when the template does not define the resource. */
const offsetOf = (text: string, resource: string): number | null => {
  const document = parseDocument(text, OPTIONS);
  for (const section of SECTIONS) {
    const resources = document.get(section);
    if (!isMap(resources)) continue;
    for (const { key } of resources.items) {
      if (isScalar(key) && String(key.value) === resource) return key.range?.[0] ?? null;
    }
  }
  return null;
};

const linesBelow = (lines: readonly string[]): number => {
  const indent = (line: string): number => line.search(/\S/);
  const [first = "", ...others] = lines;
  const end = others.findIndex((line) => line !== "" && indent(line) <= indent(first));
  return end === -1 ? others.length : end;
};

/** `text` comes from `templateText`. */
export const passageOf = (text: string, resource: string): Passage | null => {
  const offset = offsetOf(text, resource);
  if (offset === null) return null;
  const start = text.lastIndexOf("\n", offset) + 1;
  const lines = text.slice(start).trimEnd().split("\n");
  const own = lines.slice(0, 1 + linesBelow(lines)).join("\n");
  return {
    before: text.slice(0, start),
    lines: own,
    after: text.slice(start + own.length),
    line: text.slice(0, start).split("\n").length,
  };
};

import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { parseText } from "#lib/template/yaml/yaml.ts";
import { type Block, fileNameOf } from "./document-blocks.ts";
import type { Example, Fragment } from "./template-examples.ts";

const VERSION_KEYS = [
  "heat_template_version",
  "HeatTemplateFormatVersion",
  "AWSTemplateFormatVersion",
];

const isTemplate = (document: Json): document is JsonObject =>
  isJsonObject(document) && VERSION_KEYS.some((key) => Object.hasOwn(document, key));

/** The last template of the chapter above a fragment. Throws if there is none. */
export const frameOf = (
  blocks: readonly Block[],
  fragment: Block,
): { block: Block; template: JsonObject } => {
  const above = blocks
    .slice(0, blocks.indexOf(fragment))
    .filter((block) => block.chapter === fragment.chapter && fileNameOf(block) !== null);
  for (const block of above.toReversed()) {
    const template = parseText(block.text);
    if (isTemplate(template)) return { block, template };
  }
  throw new Error(`line ${fragment.line}: no template stands above the fragment in its chapter`);
};

/**
 * The files that a template names, and the files that they name, as a client sends them. A wrong
 * template among the files of a request would make the host refuse the request.
 */
export const filesNamedIn = (
  files: ReadonlyMap<string, string>,
  template: JsonObject,
): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  const search = (text: string): void => {
    for (const [name, content] of files) {
      if (found.has(name) || !text.includes(name)) continue;
      found.set(name, content);
      search(content);
    }
  };
  search(JSON.stringify(template));
  return found;
};

interface Words {
  readonly outputs: string;
  readonly value: string;
  readonly parameter: (name: string) => JsonObject;
  readonly condition: (name: string) => JsonObject;
}

const HOT: Words = {
  outputs: "outputs",
  value: "value",
  parameter: (name) => ({ get_param: name }),
  condition: (name) => ({ if: [name, true, false] }),
};
const CFN: Words = {
  outputs: "Outputs",
  value: "Value",
  parameter: (name) => ({ Ref: name }),
  condition: (name) => ({ "Fn::If": [name, true, false] }),
};

const wordsOf = (template: JsonObject): Words =>
  Object.hasOwn(template, "heat_template_version") ? HOT : CFN;

const outputOf = (
  section: string | null,
  { name, source, expected }: Example,
  words: Words,
): Json => {
  const kind = section?.toLowerCase() ?? "value";
  if (kind === "value") return { [words.value]: source };
  if (kind === "parameters") return { [words.value]: words.parameter(name) };
  if (kind === "conditions") return { [words.value]: words.condition(name) };
  const isRefused = expected !== null && "refused" in expected;
  if (kind === "outputs" || isRefused) return null;
  throw new Error(`${section}.${name} has no value that an output could show`);
};

const sectionOf = (template: JsonObject, key: string): JsonObject => {
  const section = template[key] ?? null;
  return isJsonObject(section) ? section : {};
};

const without = (template: JsonObject, key: string, examples: ReadonlySet<string>): JsonObject => ({
  ...template,
  [key]: Object.fromEntries(
    Object.entries(sectionOf(template, key)).filter(([name]) => !examples.has(name)),
  ),
});

/**
 * The frame with the entries of the fragments that are in `taken`. Outputs of the frame itself are
 * left out.
 */
export const templateWith = (
  frame: JsonObject,
  fragments: readonly Fragment[],
  taken: ReadonlySet<Example>,
): JsonObject => {
  const words = wordsOf(frame);
  let template = without(
    frame,
    words.outputs,
    new Set(Object.keys(sectionOf(frame, words.outputs))),
  );
  const add = (key: string, name: string, value: Json): void => {
    template = { ...template, [key]: { ...sectionOf(template, key), [name]: value } };
  };
  for (const { section, examples } of fragments) {
    for (const example of examples.filter((one) => taken.has(one))) {
      const { name, source, expected } = example;
      if (section !== null) add(section, name, source);
      if (expected === null) continue;
      const output = outputOf(section, example, words);
      if (output !== null) add(words.outputs, name, output);
    }
  }
  return template;
};

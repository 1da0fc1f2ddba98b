/** Reads JSON or YAML like Heat: YAML 1.1 as PyYAML's safe loader reads it, but dates stay text. */
import {
  isJsonNumber,
  type Json,
  mapOf,
  NumberOutOfRange,
  numberText,
  parseJson,
} from "#lib/json.ts";
import { DEPTH_MAX, nodesMaxOf, oversize, TOO_DEEP } from "../json-shape.ts";
import { pythonRepr } from "../python-text.ts";
import { compose } from "./composer.ts";
import {
  type MappingNode,
  SCALAR_TAGS,
  type SequenceNode,
  scalarProblem,
  TAGS,
  type YamlNode,
} from "./nodes.ts";
import type { Dialect } from "./scanner.ts";
import { UNREADABLE, UnreadableText, YamlProblem } from "./source.ts";

const HEXADECIMAL = 16;
const CODE_DIGITS = 4;

const checkCharacters = (text: string): void => {
  const at = text.search(UNREADABLE);
  if (at === -1) return;
  const code = (text.codePointAt(at) ?? 0).toString(HEXADECIMAL).padStart(CODE_DIGITS, "0");
  const position = Array.from(text.slice(0, at)).length;
  throw new UnreadableText(
    `unacceptable character #x${code}: special characters are not allowed\n  in "<unicode string>", position ${position}`,
  );
};

/** As in Heat, reads a text that libyaml refuses again with PyYAML's own parser. */
const inDialect = <T>(read: (dialect: Dialect) => T): T => {
  try {
    return read("libyaml");
  } catch (failure) {
    if (failure instanceof YamlProblem) return read("PyYAML");
    throw failure;
  }
};

const parseYaml = (text: string): Json => {
  checkCharacters(text);
  return inDialect((dialect) => {
    const root = compose(text, dialect);
    return root === null ? null : construct(text, root);
  });
};

export const parseText = (text: string): Json => {
  const document = /^\s*[{["\d]/.test(text) ? (jsonIn(text) ?? parseYaml(text)) : parseYaml(text);
  const problem = oversize(document, nodesMaxOf(text));
  if (problem !== null) throw new UnreadableText(`it is ${problem}`);
  return document;
};

/** YAML may accept a number that is out of range as text, so it is refused here. */
const jsonIn = (text: string): Json => {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof NumberOutOfRange) throw new UnreadableText(error.message);
    return null;
  }
};

export const composeText = (text: string): YamlNode | null =>
  inDialect((dialect) => compose(text, dialect));

/**
 * A short text can merge maps into each other many times.
 * @limit entries of maps that `<<` merges in one text
 * @beyond 400
 */
const MERGED_ENTRIES_MAX = 100_000;

/** Python cannot hash these values, so they cannot be keys. */
const COLLECTION_TAGS: ReadonlySet<string> = new Set([
  TAGS.seq,
  TAGS.map,
  TAGS.set,
  TAGS.omap,
  TAGS.pairs,
]);

/** Makes a document of the nodes of a YAML text: merge keys, tags, and keys as text. */
type Entry = MappingNode["entries"][number];

class Constructor {
  readonly #text: string;
  readonly #root: YamlNode;
  readonly #done = new Map<YamlNode, Json>();
  readonly #merged = new Map<MappingNode, readonly Entry[]>();
  #mergedEntries = 0;

  constructor(text: string, root: YamlNode) {
    this.#text = text;
    this.#root = root;
  }

  value(node: YamlNode, depth: number): Json {
    const known = this.#done.get(node);
    if (known !== undefined) return known;
    if (depth > DEPTH_MAX) throw new UnreadableText(`it is ${TOO_DEEP}`);
    const value = this.#construct(node, depth);
    if (node.kind !== "scalar") this.#done.set(node, value);
    return value;
  }

  #problem(problem: string, node: YamlNode, doing: string | null = null, at = node): YamlProblem {
    const context = doing === null ? null : { doing, offset: node.start };
    return new YamlProblem(this.#text, context, problem, at.start);
  }

  #construct(node: YamlNode, depth: number): Json {
    const { tag } = node;
    const read = SCALAR_TAGS.get(tag);
    if (read !== undefined) return this.#scalar(node, read);
    if (tag === TAGS.seq) {
      return this.#expect(node, "sequence").items.map((item) => this.value(item, depth + 1));
    }
    if (tag === TAGS.map) return mapOf(this.#map(node, depth));
    // A set reaches Heat's engine as a list.
    if (tag === TAGS.set) return [...this.#map(node, depth).keys()];
    if (tag === TAGS.omap || tag === TAGS.pairs) return this.#pairs(node, depth);
    throw this.#unknownTag(this.#firstUnknown ?? node);
  }

  #unknownTag(node: YamlNode): YamlProblem {
    const problem = `could not determine a constructor for the tag ${pythonRepr(node.tag)}`;
    return this.#problem(problem, node);
  }

  get #firstUnknown(): YamlNode | undefined {
    const nodes = new Set([this.#root]);
    // Iterating a Set also visits the nodes that are added on the way, each once.
    for (const node of nodes) {
      if (isUnknown(node)) return node;
      if (node.kind === "sequence") for (const item of node.items) nodes.add(item);
      if (node.kind !== "mapping") continue;
      for (const [key, value] of this.#flatten(node)) {
        // As a key, `=` is a text.
        if (key.tag !== TAGS.value) nodes.add(key);
        nodes.add(value);
      }
    }
    return undefined;
  }

  #expect<Kind extends YamlNode["kind"]>(
    node: YamlNode,
    kind: Kind,
  ): Extract<YamlNode, { readonly kind: Kind }> {
    if (isKind(node, kind)) return node;
    throw this.#problem(`expected a ${kind} node, but found ${node.kind}`, node);
  }

  #scalar(node: YamlNode, read: (text: string) => Json | undefined): Json {
    const scalar = this.#expect(node, "scalar");
    const value = read(scalar.value);
    if (value === undefined) throw this.#problem(scalarProblem(scalar), node);
    return value;
  }

  #map(node: YamlNode, depth: number): ReadonlyMap<string, Json> {
    const mapping = this.#expect(node, "mapping");
    const entries = new Map<string, Json>();
    for (const [key, value] of this.#flatten(mapping)) {
      entries.set(this.#key(key, mapping, depth), this.value(value, depth + 1));
    }
    return entries;
  }

  /** Heat's engine receives keys from its API as JSON, so they are text. */
  #key(node: YamlNode, mapping: MappingNode, depth: number): string {
    if (COLLECTION_TAGS.has(node.tag)) {
      throw this.#problem("found unhashable key", mapping, "while constructing a mapping", node);
    }
    const isValue = node.kind === "scalar" && node.tag === TAGS.value;
    const key = isValue ? node.value : this.value(node, depth + 1);
    return isJsonNumber(key) ? numberText(key) : String(key);
  }

  /** Merged entries come first, so that the map's own entries replace them. */
  #flatten(mapping: MappingNode): readonly Entry[] {
    const { entries } = mapping;
    if (!entries.some(([key]) => key.tag === TAGS.merge)) return entries;
    const known = this.#merged.get(mapping);
    if (known !== undefined) return known;
    const merged = entries.flatMap(([key, value]) =>
      key.tag === TAGS.merge ? this.#mergedFrom(value, mapping) : [],
    );
    const all = [...merged, ...entries.filter(([key]) => key.tag !== TAGS.merge)];
    this.#mergedEntries += all.length;
    if (this.#mergedEntries > MERGED_ENTRIES_MAX) {
      throw new UnreadableText(`it merges more than ${MERGED_ENTRIES_MAX} entries of maps`);
    }
    this.#merged.set(mapping, all);
    return all;
  }

  #mergedFrom(value: YamlNode, mapping: MappingNode): readonly Entry[] {
    const doing = "while constructing a mapping";
    if (value.kind === "mapping") return this.#flatten(value);
    if (value.kind === "scalar") {
      const problem = "expected a mapping or list of mappings for merging, but found scalar";
      throw this.#problem(problem, mapping, doing, value);
    }
    const lists = value.items.map((item) => {
      if (item.kind === "mapping") return this.#flatten(item);
      const problem = `expected a mapping for merging, but found ${item.kind}`;
      throw this.#problem(problem, mapping, doing, item);
    });
    // The first map of a list has priority, so it comes last.
    return lists.reverse().flat();
  }

  #pairs(node: YamlNode, depth: number): Json {
    const doing =
      node.tag === TAGS.omap ? "while constructing an ordered map" : "while constructing pairs";
    if (node.kind !== "sequence") {
      throw this.#problem(`expected a sequence, but found ${node.kind}`, node, doing);
    }
    return node.items.map((item) => this.#pair(item, node, doing, depth));
  }

  #pair(item: YamlNode, list: SequenceNode, doing: string, depth: number): Json {
    if (item.kind !== "mapping") {
      const problem = `expected a mapping of length 1, but found ${item.kind}`;
      throw this.#problem(problem, list, doing, item);
    }
    const [entry] = item.entries;
    if (entry === undefined || item.entries.length > 1) {
      const problem = `expected a single mapping item, but found ${item.entries.length} items`;
      throw this.#problem(problem, list, doing, item);
    }
    return entry.map((part) => this.value(part, depth + 2));
  }
}

const isUnknown = ({ tag }: YamlNode): boolean =>
  !SCALAR_TAGS.has(tag) && !COLLECTION_TAGS.has(tag);

const isKind = <Kind extends YamlNode["kind"]>(
  node: YamlNode,
  kind: Kind,
): node is Extract<YamlNode, { readonly kind: Kind }> => node.kind === kind;

const construct = (text: string, root: YamlNode): Json =>
  new Constructor(text, root).value(root, 1);

/** Composes the nodes of a YAML text. The grammar of YAML 1.1 needs one token of lookahead. */

import { DEPTH_MAX, TOO_DEEP } from "../json-shape.ts";
import { pythonRepr } from "../python-text.ts";
import type { TagName, Token, TokenId } from "./names.ts";
import { DEFAULT_HANDLES, implicitTag, TAGS, type YamlNode } from "./nodes.ts";
import { type Dialect, Scanner } from "./scanner.ts";
import { UnreadableText, type YamlProblem } from "./source.ts";

type Content = "in flow" | "in block" | "in block or without indent";

interface Properties {
  readonly anchor: string | null;
  readonly tag: string | null;
  readonly start: number | null;
  readonly end: number;
}

const NO_PROPERTIES: Properties = { anchor: null, tag: null, start: null, end: 0 };

type Entry = readonly [YamlNode, YamlNode];

class Composer {
  readonly #scanner: Scanner;
  readonly #anchors = new Map<string, { readonly start: number; node: YamlNode | null }>();
  #handles: ReadonlyMap<string, string> = DEFAULT_HANDLES;
  #depth = 0;

  constructor(text: string, dialect: Dialect) {
    this.#scanner = new Scanner(text, dialect);
  }

  document(): YamlNode | null {
    const isExplicit = this.#isNext("<directive>", "<document start>", "<stream end>");
    if (this.#isNext("<stream end>")) return null;
    if (isExplicit) this.#beginDocument();
    const root = this.#documentContent(isExplicit);
    while (this.#isNext("<document end>")) this.#scanner.take();
    if (this.#isNext("<stream end>")) return root;
    const other = this.#scanner.peek();
    this.#beginDocument();
    const doing = "expected a single document in the stream";
    throw this.#problem(doing, root.start, "but found another document", other.start);
  }

  #documentContent(isExplicit: boolean): YamlNode {
    const isEmpty =
      isExplicit &&
      this.#isNext("<directive>", "<document start>", "<document end>", "<stream end>");
    return isEmpty ? emptyScalar(this.#scanner.peek().start) : this.#node("in block");
  }

  #isNext(...ids: readonly TokenId[]): boolean {
    return ids.includes(this.#scanner.peek().id);
  }

  #problem(doing: string | null, begun: number | null, problem: string, at: number): YamlProblem {
    const context = doing === null ? null : { doing, offset: begun };
    return this.#scanner.source.problem(context, problem, at);
  }

  #beginDocument(): void {
    const handles = new Map<string, string>();
    let hasVersion = false;
    while (this.#isNext("<directive>")) {
      const { directive, start } = this.#scanner.take();
      if (directive?.name === "YAML") {
        if (hasVersion) throw this.#problem(null, null, "found duplicate YAML directive", start);
        hasVersion = true;
        if (directive.major !== 1) {
          const problem = "found incompatible YAML document (version 1.* is required)";
          throw this.#problem(null, null, problem, start);
        }
      } else if (directive?.name === "TAG") {
        const { handle, prefix } = directive;
        if (handles.has(handle)) {
          throw this.#problem(null, null, `duplicate tag handle ${pythonRepr(handle)}`, start);
        }
        handles.set(handle, prefix);
      }
    }
    this.#handles = new Map([...DEFAULT_HANDLES, ...handles]);
    const { id, start } = this.#scanner.peek();
    if (id !== "<document start>") {
      const problem = `expected '<document start>', but found ${pythonRepr(id)}`;
      throw this.#problem(null, null, problem, start);
    }
    this.#scanner.take();
  }

  #properties(): Properties {
    if (!this.#isNext("<anchor>", "<tag>")) return NO_PROPERTIES;
    let anchor: Token | null = null;
    let tag: Token | null = null;
    const { start } = this.#scanner.peek();
    if (this.#isNext("<anchor>")) anchor = this.#scanner.take();
    if (this.#isNext("<tag>")) tag = this.#scanner.take();
    if (anchor === null && this.#isNext("<anchor>")) anchor = this.#scanner.take();
    return {
      anchor: anchor?.value ?? null,
      tag: tag?.tag === undefined ? null : this.#resolveTag(tag.tag, start, tag.start),
      start,
      end: Math.max(anchor?.end ?? 0, tag?.end ?? 0),
    };
  }

  #resolveTag({ handle, suffix }: TagName, begun: number | null, at: number): string {
    if (handle === null) return suffix;
    const prefix = this.#handles.get(handle);
    if (prefix !== undefined) return prefix + suffix;
    const problem = `found undefined tag handle ${pythonRepr(handle)}`;
    throw this.#problem("while parsing a node", begun, problem, at);
  }

  #alias(): YamlNode {
    const { value = "", start } = this.#scanner.take();
    const known = this.#anchors.get(value);
    if (known === undefined) {
      throw this.#problem(null, null, `found undefined alias ${pythonRepr(value)}`, start);
    }
    if (known.node !== null) return known.node;
    throw this.#problem(null, null, "found unconstructable recursive node", known.start);
  }

  #node(content: Content): YamlNode {
    if (this.#isNext("<alias>")) return this.#alias();
    const properties = this.#properties();
    const { anchor } = properties;
    const token = this.#scanner.peek();
    const start = properties.start ?? token.start;
    this.#checkContent(content, properties, token);
    if (anchor === null) return this.#content(content, properties, token);
    const known = this.#anchors.get(anchor);
    if (known !== undefined) {
      const doing = `found duplicate anchor ${pythonRepr(anchor)}; first occurrence`;
      throw this.#problem(doing, known.start, "second occurrence", start);
    }
    const named: { readonly start: number; node: YamlNode | null } = { start, node: null };
    this.#anchors.set(anchor, named);
    named.node = this.#content(content, properties, token);
    return named.node;
  }

  #checkContent(content: Content, { tag, anchor, start }: Properties, token: Token): void {
    if (beginsNode(token.id, content) || tag !== null || anchor !== null) return;
    const doing = `while parsing a ${content === "in flow" ? "flow" : "block"} node`;
    const problem = `expected the node content, but found ${pythonRepr(token.id)}`;
    throw this.#problem(doing, start ?? token.start, problem, token.start);
  }

  #content(content: Content, { tag, start: begun, end }: Properties, token: Token): YamlNode {
    const start = begun ?? token.start;
    const ownTag = tag === "!" ? null : tag;
    if (!beginsNode(token.id, content)) {
      // As in libyaml, a lone exclamation mark makes an empty text.
      const implicit = tag === "!" ? TAGS.str : TAGS.null;
      return { kind: "scalar", tag: ownTag ?? implicit, value: "", start: begun ?? end };
    }
    if (token.id === "<scalar>") {
      const { value = "", isPlain = false } = this.#scanner.take();
      const isImplicit = (isPlain && tag === null) || tag === "!";
      const implicit = isImplicit ? implicitTag(value) : TAGS.str;
      return { kind: "scalar", tag: ownTag ?? implicit, value, start };
    }
    this.#depth += 1;
    if (this.#depth > DEPTH_MAX) throw new UnreadableText(`it is ${TOO_DEEP}`);
    const node = this.#collection(token, ownTag, start);
    this.#depth -= 1;
    return node;
  }

  #collection(token: Token, tag: string | null, start: number): YamlNode {
    switch (token.id) {
      case "[":
        return { kind: "sequence", tag: tag ?? TAGS.seq, items: this.#flowSequence(), start };
      case "<block sequence start>":
        return { kind: "sequence", tag: tag ?? TAGS.seq, items: this.#blockSequence(), start };
      case "-":
        return { kind: "sequence", tag: tag ?? TAGS.seq, items: this.#plainSequence(), start };
      case "{":
        return { kind: "mapping", tag: tag ?? TAGS.map, entries: this.#flowMapping(), start };
      default:
        return { kind: "mapping", tag: tag ?? TAGS.map, entries: this.#blockMapping(), start };
    }
  }

  #nodeBefore(content: Content, at: number, ...ends: readonly TokenId[]): YamlNode {
    return this.#isNext(...ends) ? emptyScalar(at) : this.#node(content);
  }

  #blockSequence(): readonly YamlNode[] {
    const begun = this.#scanner.take().start;
    const items: YamlNode[] = [];
    while (this.#isNext("-")) {
      const { end } = this.#scanner.take();
      items.push(this.#nodeBefore("in block", end, "-", "<block end>"));
    }
    this.#endBlock("while parsing a block collection", begun);
    return items;
  }

  #endBlock(doing: string, begun: number): void {
    const { id, start } = this.#scanner.peek();
    if (id !== "<block end>") {
      const problem = `expected <block end>, but found ${pythonRepr(id)}`;
      throw this.#problem(doing, begun, problem, start);
    }
    this.#scanner.take();
  }

  /** A list in a map whose dashes have the key's indentation. No token marks its beginning. */
  #plainSequence(): readonly YamlNode[] {
    const items: YamlNode[] = [];
    while (this.#isNext("-")) {
      const { end } = this.#scanner.take();
      items.push(this.#nodeBefore("in block", end, "-", "?", ":", "<block end>"));
    }
    return items;
  }

  #blockMapping(): readonly Entry[] {
    const begun = this.#scanner.take().start;
    const entries: Entry[] = [];
    const part = (at: number): YamlNode =>
      this.#nodeBefore("in block or without indent", at, "?", ":", "<block end>");
    while (this.#isNext("?")) {
      const key = part(this.#scanner.take().end);
      const { id, start } = this.#scanner.peek();
      const value = id === ":" ? part(this.#scanner.take().end) : emptyScalar(start);
      entries.push([key, value]);
    }
    this.#endBlock("while parsing a block mapping", begun);
    return entries;
  }

  #separator(what: "sequence" | "mapping", end: "]" | "}", begun: number): void {
    const { id, start } = this.#scanner.peek();
    if (id !== ",") {
      const problem = `expected ',' or '${end}', but got ${pythonRepr(id)}`;
      throw this.#problem(`while parsing a flow ${what}`, begun, problem, start);
    }
    this.#scanner.take();
  }

  #flowSequence(): readonly YamlNode[] {
    const begun = this.#scanner.take().start;
    const items: YamlNode[] = [];
    while (!this.#isNext("]")) {
      if (items.length > 0) this.#separator("sequence", "]", begun);
      const { start } = this.#scanner.peek();
      if (this.#isNext("?")) {
        const entry = this.#flowEntry("]");
        items.push({ kind: "mapping", tag: TAGS.map, entries: [entry], start });
      } else if (!this.#isNext("]")) items.push(this.#node("in flow"));
    }
    this.#scanner.take();
    return items;
  }

  #flowEntry(end: "]" | "}"): Entry {
    const key = this.#nodeBefore("in flow", this.#scanner.take().end, ":", ",", end);
    const { id, start } = this.#scanner.peek();
    if (id !== ":") return [key, emptyScalar(start)];
    return [key, this.#nodeBefore("in flow", this.#scanner.take().end, ",", end)];
  }

  #flowMapping(): readonly Entry[] {
    const begun = this.#scanner.take().start;
    const entries: Entry[] = [];
    while (!this.#isNext("}")) {
      if (entries.length > 0) this.#separator("mapping", "}", begun);
      if (this.#isNext("?")) entries.push(this.#flowEntry("}"));
      else if (!this.#isNext("}")) {
        const key = this.#node("in flow");
        entries.push([key, emptyScalar(this.#scanner.peek().start)]);
      }
    }
    this.#scanner.take();
    return entries;
  }
}

const emptyScalar = (start: number): YamlNode => ({
  kind: "scalar",
  tag: TAGS.null,
  value: "",
  start,
});

const beginsNode = (id: TokenId, content: Content): boolean => {
  if (id === "<scalar>" || id === "[" || id === "{") return true;
  if (content === "in flow") return false;
  if (id === "<block sequence start>" || id === "<block mapping start>") return true;
  return id === "-" && content === "in block or without indent";
};

export const compose = (text: string, dialect: Dialect): YamlNode | null =>
  new Composer(text, dialect).document();

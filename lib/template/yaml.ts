/** Reads JSON or YAML like Heat: YAML 1.1 as PyYAML's safe loader reads it, but dates stay text. */
import { type Json, NumberOutOfRange, parseJson } from "#lib/json.ts";
import { nodesMaxOf, oversize } from "./json-shape.ts";
import { UNREADABLE } from "./yaml/characters.ts";
import { compose } from "./yaml/composer.ts";
import { construct } from "./yaml/construct.ts";
import type { YamlNode } from "./yaml/nodes.ts";
import type { Dialect } from "./yaml/scanner.ts";
import { UnreadableText, YamlProblem } from "./yaml/yaml-error.ts";

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

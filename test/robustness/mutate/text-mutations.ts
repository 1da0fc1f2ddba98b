import type { Dice } from "../dice.ts";
import { HOSTILE_KEYS } from "../generate/scalars.ts";

type Mutation = (text: string, dice: Dice) => string;

const onLines =
  (change: (lines: string[], at: number, dice: Dice) => void): Mutation =>
  (text, dice) => {
    const lines = text.split("\n");
    change(lines, dice.below(lines.length), dice);
    return lines.join("\n");
  };

const flipByte: Mutation = (text, dice) => {
  const bytes = Buffer.from(text);
  if (bytes.length === 0) return text;
  const at = dice.below(bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << dice.below(8));
  return bytes.toString("utf8");
};

const SIGNS = [
  ..."{}[]:,&*#?|->!%@`'\"\t\n \u0000\ufeff\ud800~<=",
  "<<: ",
  "!!",
  "- ",
  "? ",
  "---\n",
];

const insertSign: Mutation = (text, dice) => {
  const at = dice.below(text.length + 1);
  return text.slice(0, at) + dice.pick(SIGNS) + text.slice(at);
};

const deletePart: Mutation = (text, dice) => {
  const at = dice.below(text.length + 1);
  return text.slice(0, at) + text.slice(at + dice.below(20));
};

const repeatPart: Mutation = (text, dice) => {
  const at = dice.below(text.length + 1);
  const part = text.slice(at, at + dice.below(200));
  return text.slice(0, at) + part.repeat(1 + dice.below(50)) + text.slice(at);
};

const truncate: Mutation = (text, dice) => text.slice(0, dice.below(text.length + 1));

const deleteLine = onLines((lines, at) => lines.splice(at, 1));

const duplicateLine = onLines((lines, at, dice) => {
  lines.splice(at, 0, ...Array(1 + dice.below(3)).fill(lines[at] ?? ""));
});

const swapLines = onLines((lines, at, dice) => {
  const other = dice.below(lines.length);
  const line = lines[at] ?? "";
  lines[at] = lines[other] ?? "";
  lines[other] = line;
});

const indentLines = onLines((lines, at, dice) => {
  const many = 1 + dice.below(5);
  const pad = dice.pick([" ", "  ", "\t", "      "]);
  for (let line = at; line < Math.min(at + many, lines.length); line += 1) {
    const text = lines[line] ?? "";
    lines[line] = dice.chance(50) ? pad + text : text.replace(/^ {1,2}/, "");
  }
});

const WORD = /[A-Za-z_][\w:.-]*/g;

const renameWord: Mutation = (text, dice) => {
  const words = [...text.matchAll(WORD)];
  if (words.length === 0) return text;
  const { 0: word, index } = dice.pick(words);
  const other = dice.chance(70) ? dice.pick(words)[0] : dice.pick(HOSTILE_KEYS);
  return text.slice(0, index) + other + text.slice(index + word.length);
};

const VERSION = /(heat_template_version: *)["']?[\w-]+["']?/;

const otherVersion: Mutation = (text, dice) =>
  text.replace(VERSION, `$1${dice.pick(["2013-05-23", "2015-10-15", "2018-08-31", "2021-04-16"])}`);

const MUTATIONS: readonly Mutation[] = [
  flipByte,
  insertSign,
  deletePart,
  repeatPart,
  truncate,
  deleteLine,
  deleteLine,
  duplicateLine,
  duplicateLine,
  swapLines,
  swapLines,
  indentLines,
  renameWord,
  renameWord,
  renameWord,
  otherVersion,
];

export const mutatedText = (text: string, dice: Dice): string => {
  let changed = text;
  for (let left = 1 + dice.below(3); left > 0; left -= 1) {
    changed = dice.pick(MUTATIONS)(changed, dice);
  }
  return changed;
};

import { type Paragraph, paragraphsOf } from "./comments.ts";

/** A lower limit led to fragments that only their authors understood. */
export const SENTENCE_WORDS_MAX = 45;
export const COMMENT_COLUMNS_MAX = 100;

/** Letters are in brackets of their own, so that the list does not find itself. */
const STILTED: readonly RegExp[] = [
  /\bwho[e]ver\b/i,
  /\bwhos[e]ver\b/i,
  /\bwhom[e]ver\b/i,
  /\bwh[i]ther\b/i,
  /\bwh[e]nce\b/i,
  /\bl[e]st\b/i,
  /\bw[e]re (?:it|they|there|he|one|another|both)\b[^?]*?\bw[o]uld\b/i,
  /\bm[o]re need of\b/i,
  /\b(?:is|are|was) t[o] have\b/i,
  /\bb[e] it\b(?! (?:noted|so))/i,
  /\bh[e]ed(?:s|ed|ing)?\b/i,
  /\btold s[o]\b/i,
  /\bof wh[i]ch\b.*\bth[a]t\b/i,
  /\bf[o]r ever\b/i,
];

/** Quoted code counts as one word and is not searched for stilted words. */
const withoutCode = (text: string): string =>
  text
    .replace(/`[^`]*`/g, "code")
    .replace(/"[^"]*"/g, "quote")
    .replace(/\]\([^)]*\)/g, "]");

const sentencesOf = (text: string): readonly string[] =>
  withoutCode(text)
    .replace(/\b(?:e\.g|i\.e|vs|cf|etc)\./g, "eg")
    .split(/(?<=[.!?][)"*_]*)\s+/);

const wordsIn = (sentence: string): number =>
  sentence.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

export interface LongSentence {
  readonly words: number;
  readonly sentence: string;
}

export const longestSentence = (text: string): LongSentence =>
  sentencesOf(text)
    .map((sentence) => ({ words: wordsIn(sentence), sentence }))
    .reduce((longest, one) => (one.words > longest.words ? one : longest), {
      words: 0,
      sentence: "",
    });

const WORDS_CHARS_MAX = 60;

export const complaintsAbout = (text: string): readonly string[] => {
  const { words, sentence } = longestSentence(text);
  const prose = withoutCode(text);
  return [
    ...(words > SENTENCE_WORDS_MAX
      ? [`a sentence of ${words} words: ${sentence.slice(0, WORDS_CHARS_MAX)}…`]
      : []),
    ...STILTED.flatMap((pattern) => pattern.exec(prose)?.[0].slice(0, WORDS_CHARS_MAX) ?? []),
  ];
};

const FENCE = /^\s*```/;

export const pageParagraphs = (page: string): readonly Paragraph[] => {
  let inCode = false;
  const prose: { line: number; text: string }[] = [];
  const cells: Paragraph[] = [];
  page.split("\n").forEach((text, at) => {
    const line = at + 1;
    if (FENCE.test(text)) inCode = !inCode;
    const isProse = !inCode && !FENCE.test(text) && !/^\s*(?:#|<)/.test(text);
    if (isProse && text.trimStart().startsWith("|")) {
      prose.push({ line, text: "" });
      for (const cell of text.split(/(?<!\\)\|/)) cells.push({ line, text: cell });
    } else prose.push({ line, text: isProse ? text.trim() : "" });
  });
  return [...paragraphsOf(prose), ...cells];
};

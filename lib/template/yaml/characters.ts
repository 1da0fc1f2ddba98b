/** Classes of characters in YAML 1.1, by their code units. The end of a text reads as 0. */

const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
const NEXT_LINE = 0x85;
const LINE_SEPARATOR = 0x2028;
const PARAGRAPH_SEPARATOR = 0x2029;

export const isSpace = (code: number): boolean => code === SPACE;
export const isTab = (code: number): boolean => code === TAB;
export const isReturn = (code: number): boolean => code === RETURN;
export const isNewline = (code: number): boolean => code === NEWLINE;

/** PyYAML keeps these two, and turns all other breaks into a newline. */
export const isKeptBreak = (code: number): boolean =>
  code === LINE_SEPARATOR || code === PARAGRAPH_SEPARATOR;

export const isBreak = (code: number): boolean =>
  code === NEWLINE || code === RETURN || code === NEXT_LINE || isKeptBreak(code);

export const isBreakOrEnd = (code: number): boolean => code === 0 || isBreak(code);

export const isSpaceOrEnd = (code: number): boolean => code === SPACE || isBreakOrEnd(code);

export const isBlankOrEnd = (code: number): boolean => code === TAB || isSpaceOrEnd(code);

export const isHexadecimal = (character: string): boolean => /^[0-9A-Fa-f]$/.test(character);

export const UNREADABLE = /[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

import type { Tokens } from "./tokens.ts";

export interface Flags {
  readonly ignoreCase: boolean;
  readonly multiLine: boolean;
  readonly dotAll: boolean;
  readonly verbose: boolean;
  readonly ascii: boolean;
  readonly unicode: boolean;
}

export const NO_FLAGS: Flags = {
  ignoreCase: false,
  multiLine: false,
  dotAll: false,
  verbose: false,
  ascii: false,
  unicode: false,
};

const BY_LETTER: Readonly<Record<string, keyof Flags>> = {
  i: "ignoreCase",
  m: "multiLine",
  s: "dotAll",
  x: "verbose",
  a: "ascii",
  u: "unicode",
};

export const isFlag = (letter: string): boolean =>
  letter === "L" || Object.hasOwn(BY_LETTER, letter);

type Changes = Partial<Flags>;

export interface FlagChange {
  readonly isGlobal: boolean;
  readonly changes: Changes;
}

const isLetter = (token: string): boolean => /^\p{L}$/u.test(token);

const nextOf = (tokens: Tokens, ends: string, missing: string): string => {
  const token = tokens.take();
  if (token === null) throw tokens.failure(missing);
  if (isFlag(token) || ends.includes(token)) return token;
  throw tokens.failure(isLetter(token) ? "unknown flag" : missing, token);
};

const turnOn = (tokens: Tokens, first: string): { changes: Changes; end: string } => {
  let changes: Changes = {};
  let end = first;
  while (isFlag(end)) {
    if (end === "L") {
      throw tokens.failure("bad inline flags: cannot use 'L' flag with a str pattern");
    }
    changes = { ...changes, [BY_LETTER[end] ?? end]: true };
    if (changes.ascii === true && changes.unicode === true) {
      throw tokens.failure("bad inline flags: flags 'a', 'u' and 'L' are incompatible");
    }
    end = nextOf(tokens, ")-:", "missing -, : or )");
  }
  return { changes, end };
};

const turnOff = (tokens: Tokens): Changes => {
  let changes: Changes = {};
  let end = nextOf(tokens, "", "missing flag");
  while (end !== ":") {
    const name = BY_LETTER[end];
    if (name === undefined || name === "ascii" || name === "unicode") {
      throw tokens.failure("bad inline flags: cannot turn off flags 'a', 'u' and 'L'");
    }
    changes = { ...changes, [name]: false };
    end = nextOf(tokens, ":", "missing :");
  }
  return changes;
};

export const readFlags = (tokens: Tokens, first: string): FlagChange => {
  const { changes, end } = turnOn(tokens, first);
  if (end === ")") return { isGlobal: true, changes };
  if (end === ":") return { isGlobal: false, changes };
  const off = turnOff(tokens);
  if (Object.keys(off).some((name) => Object.hasOwn(changes, name))) {
    throw tokens.failure("bad inline flags: flag turned on and off", ":");
  }
  return { isGlobal: false, changes: { ...changes, ...off } };
};

/** Inside a group, `a` and `u` replace each other. */
export const withChanges = (flags: Flags, { isGlobal, changes }: FlagChange): Flags => {
  const changed = { ...flags, ...changes };
  if (isGlobal) return changed;
  if (changes.ascii === true) return { ...changed, unicode: false };
  return changes.unicode === true ? { ...changed, ascii: false } : changed;
};

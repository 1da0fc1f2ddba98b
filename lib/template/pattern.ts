/** allowed_pattern: Python's regular expressions on JavaScript's engine. */

const SYNTAX = new Set("^$\\.*+?()[]{}|/");
const CLASSES: Readonly<Record<string, string>> = {
  w: "\\p{L}\\p{N}_",
  d: "\\p{Nd}",
  s: "\\s",
};

/** What a backslash and the character after it become. Python's classes know all of Unicode. */
const escaped = (character: string, inSet: boolean): string => {
  const lower = character.toLowerCase();
  const members = Object.hasOwn(CLASSES, lower) ? CLASSES[lower] : undefined;
  if (members !== undefined && character === lower) return inSet ? members : `[${members}]`;
  if (members !== undefined && !inSet) return `[^${members}]`;
  if (character === "Z") return "$";
  if (character === "A") return "^";
  if (/[A-Za-z0-9]/.test(character) || SYNTAX.has(character)) return `\\${character}`;
  return character === "-" && inSet ? "\\-" : character;
};

const translate = (pattern: string): string => {
  let translated = "";
  let inSet = false;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern.charAt(at);
    if (character === "\\" && at + 1 < pattern.length) {
      at += 1;
      translated += escaped(pattern.charAt(at), inSet);
      continue;
    }
    if (character === "[" && !inSet) inSet = true;
    else if (character === "]" && inSet) inSet = false;
    else if (character === "[" && inSet) {
      translated += "\\[";
      continue;
    }
    translated += character;
  }
  return translated.replaceAll("(?P<", "(?<").replace(/\(\?P=(\w+)\)/g, "\\k<$1>");
};

const INLINE_FLAGS = /^\(\?([ims]+)\)/;

/** Null: not a regular expression that JavaScript can run. Heat anchors the pattern at the start of the value. */
export const compilePattern = (pattern: string): RegExp | null => {
  const flags = INLINE_FLAGS.exec(pattern);
  const body = pattern.slice(flags?.[0].length ?? 0);
  // Python lets braces and brackets stand for themselves; without the u flag so does JavaScript.
  const attempts = [
    { source: translate(body), flags: `yu${flags?.[1] ?? ""}` },
    { source: body, flags: `y${flags?.[1] ?? ""}` },
  ];
  for (const attempt of attempts) {
    try {
      return new RegExp(attempt.source, attempt.flags);
    } catch (failure) {
      if (!(failure instanceof SyntaxError)) throw failure;
    }
  }
  return null;
};

/** Heat's re.match that has to end where the value ends: `a|ab` refuses "ab", since it stops after the "a". */
export const matchesWhole = (pattern: string, value: string): boolean => {
  const compiled = compilePattern(pattern);
  return compiled?.exec(value)?.[0].length === value.length;
};

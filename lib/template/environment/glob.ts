/**
 * Patterns of names: `*` matches any text, `?` any character. Clients write them, so they do not
 * become regular expressions, whose time can grow with a power of the name's length.
 */

export const isGlob = (pattern: string): boolean => /[*?]/.test(pattern);

const LAST_ONE_UNIT = 0xff_ff;

const endOfPart = (part: string, text: string, from: number): number => {
  let at = from;
  for (const character of part) {
    if (character === "?") {
      const point = text.codePointAt(at);
      if (point === undefined) return -1;
      at += point > LAST_ONE_UNIT ? 2 : 1;
    } else if (text.startsWith(character, at)) at += character.length;
    else return -1;
  }
  return at;
};

const findPart = (part: string, text: string, from: number): number => {
  if (!part.includes("?")) {
    const at = text.indexOf(part, from);
    return at < 0 ? -1 : at + part.length;
  }
  for (let at = from; at <= text.length; at += 1) {
    const end = endOfPart(part, text, at);
    if (end >= 0) return end;
  }
  return -1;
};

const fitsAtEnd = (part: string, text: string, from: number): boolean => {
  for (let at = text.length; at >= from; at -= 1) {
    if (endOfPart(part, text, at) === text.length) return true;
    if (text.length - at > 2 * part.length) return false;
  }
  return false;
};

export const fitsGlob = (pattern: string, text: string): boolean => {
  const [first = "", ...rest] = pattern.split("*");
  let at = endOfPart(first, text, 0);
  const last = rest.pop();
  if (last === undefined) return at === text.length;
  // Taking the first match of each part leaves the most text for the later parts.
  for (const part of rest) {
    if (at < 0) return false;
    at = findPart(part, text, at);
  }
  return at >= 0 && fitsAtEnd(last, text, at);
};

/** The texts that Python's int() and float() read. They come back in ASCII, without underscores. */

const INTEGER = /^[+-]?\d+(?:_\d+)*$/;
const DECIMAL =
  /^[+-]?(?:\d+(?:_\d+)*(?:\.(?:\d+(?:_\d+)*)?)?|\.\d+(?:_\d+)*)(?:[eE][+-]?\d+(?:_\d+)*)?$/;
const DIGIT = /^\p{Nd}$/u;

/** Python reads the digits of every script. In Unicode a script's digits follow its zero. */
const asciiDigits = (text: string): string =>
  text.replace(/[^\p{ASCII}]/gu, (character) => {
    if (!DIGIT.test(character)) return character;
    const point = character.codePointAt(0) ?? 0;
    let run = 0;
    while (DIGIT.test(String.fromCodePoint(point - run - 1))) run += 1;
    return String(run % 10);
  });

const plainText = (text: string): string => asciiDigits(stripNumber(text));

/** Null: int() refuses the text. */
export const integerText = (text: string): string | null => {
  const digits = plainText(text);
  return INTEGER.test(digits) ? digits.replaceAll("_", "") : null;
};

/** Of an integer or a float. Null for any other text, also for those that are no finite number. */
export const decimalText = (text: string): string | null => {
  const digits = plainText(text);
  return DECIMAL.test(digits) ? digits.replaceAll("_", "") : null;
};

const NOT_FINITE = /^([+-]?)(?:inf(?:inity)?|(nan))$/i;

/** As Python prints it. Null: the text is none of these. */
export const notFinite = (text: string): "inf" | "-inf" | "nan" | null => {
  const found = NOT_FINITE.exec(plainText(text));
  if (found === null) return null;
  const [, sign, notANumber] = found;
  if (notANumber !== undefined) return "nan";
  return sign === "-" ? "-inf" : "inf";
};

/** What Python takes for white space. JavaScript lacks five of these, and has U+FEFF besides. */
const SPACES: ReadonlySet<string> = new Set(
  "\t\n\v\f\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000",
);

export const isSpace = (character: string): boolean => SPACES.has(character);

const stripOf = (text: string, isGone: (character: string) => boolean): string => {
  let start = 0;
  while (start < text.length && isGone(text.charAt(start))) start += 1;
  let end = text.length;
  while (end > start && isGone(text.charAt(end - 1))) end -= 1;
  return text.slice(start, end);
};

/** Python's str.strip(). */
export const pythonStrip = (text: string): string => stripOf(text, isSpace);

const ASCII_SEPARATORS: ReadonlySet<string> = new Set("\x1c\x1d\x1e\x1f");

/** What int() and float() leave out. To them these four are no white space. */
const stripNumber = (text: string): string =>
  stripOf(text, (character) => isSpace(character) && !ASCII_SEPARATORS.has(character));

/** Python's str.split() without a separator. */
export const words = (text: string): readonly string[] => {
  const found: string[] = [];
  let from = 0;
  for (let at = 0; at <= text.length; at += 1) {
    if (at < text.length && !isSpace(text.charAt(at))) continue;
    if (at > from) found.push(text.slice(from, at));
    from = at + 1;
  }
  return found;
};

/** Python orders texts by code points. JavaScript orders the halves of surrogate pairs. */

const SURROGATES_FROM = 0xd800;
const SURROGATES_TO = 0xe000;

const rankOf = (unit: number): number =>
  unit >= SURROGATES_FROM && unit < SURROGATES_TO ? unit + SURROGATES_TO : unit;

export const compareTexts = (left: string, right: string): number => {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const [unit, other] = [left.charCodeAt(at), right.charCodeAt(at)];
    if (unit !== other) return rankOf(unit) - rankOf(other);
  }
  return left.length - right.length;
};

export const lengthOf = (text: string): number => {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
};

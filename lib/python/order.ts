/** Python orders texts by code points. JavaScript orders the halves of surrogate pairs. */

/** For units that differ. A half without its other one is a code point too. */
const comparePoints = (left: string, right: string, at: number): number =>
  (left.codePointAt(at) ?? 0) - (right.codePointAt(at) ?? 0);

export const compareTexts = (left: string, right: string): number => {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    if (left.charCodeAt(at) === right.charCodeAt(at)) continue;
    // They may be the second halves of pairs.
    return comparePoints(left, right, at - 1) || comparePoints(left, right, at);
  }
  return left.length - right.length;
};

export const lengthOf = (text: string): number => {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
};

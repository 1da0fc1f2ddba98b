/** Whether Python's base64.b64decode takes a text. It skips all characters that are no digits. */

const DIGIT = /[A-Za-z0-9+/]/;
const NOT_ASCII = /\P{ASCII}/u;
/** Digits that make three bytes. */
const GROUP_DIGITS = 4;

export const isBase64 = (text: string): boolean => {
  if (NOT_ASCII.test(text)) return false;
  let digits = 0;
  let padding = 0;
  for (const character of text) {
    if (DIGIT.test(character)) {
      digits = (digits + 1) % GROUP_DIGITS;
      padding = 0;
    } else if (character === "=" && digits >= 2) {
      padding += 1;
      // Python reads nothing after a complete padding.
      if (digits + padding >= GROUP_DIGITS) return true;
    }
  }
  return digits === 0;
};

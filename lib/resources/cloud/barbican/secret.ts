import type { JsonObject } from "#lib/json.ts";
import type { Refusal } from "#lib/model/checked-definition.ts";
import type { TypeRules } from "#lib/resources/cloud/declared-type.ts";
import { isSet, needs, needsValue } from "#lib/resources/cloud/refusals.ts";
import { member } from "#lib/template/json-shape.ts";

/** Whether Python's base64.b64decode takes a text. It skips all characters that are no digits. */
const DIGIT = /[A-Za-z0-9+/]/;
const NOT_ASCII = /\P{ASCII}/u;
/** Digits that make three bytes. */
const GROUP_DIGITS = 4;

const isBase64 = (text: string): boolean => {
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

const CONTENT = "payload_content_type";
const ENCODING = "payload_content_encoding";
const BINARY = "application/octet-stream";

const validate = (given: JsonObject): Refusal | null => {
  const content = member(given, CONTENT);
  if (isSet(given, CONTENT)) {
    const payload = member(given, "payload");
    if (!isSet(given, "payload")) return needs(CONTENT, "payload");
    if (content === BINARY) {
      if (!isSet(given, ENCODING)) {
        return `Property unspecified. For '${BINARY}' value of '${CONTENT}' property, '${ENCODING}' property must be specified.`;
      }
      if (typeof payload === "string" && !isBase64(payload)) {
        return `Invalid payload for specified '${given[ENCODING]}' value of '${ENCODING}' property.`;
      }
    }
  }
  return isSet(given, ENCODING) && (!isSet(given, CONTENT) || content === "text/plain")
    ? needsValue(ENCODING, CONTENT, BINARY)
    : null;
};

export const barbicanSecret: TypeRules = {
  validate,
};

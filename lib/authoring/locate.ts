/** Finds the place that an error is about. Heat's texts contain places and words, but no lines. */
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { isJsonArray } from "#lib/template/json-shape.ts";
import { type DocumentPath, valueAt } from "./document-path.ts";

/**
 * Some texts use the words of the other format, so `Outputs` and `outputs` are the same section.
 */
const isSameWord = (left: string, right: string): boolean =>
  left.toLowerCase() === right.toLowerCase();

/** Follows a dotted place as far as possible. Names may contain dots too. */
const follow = (document: Json, place: string): DocumentPath => {
  if (isJsonArray(document)) {
    const [all = "", digits = ""] = /^\.?\[?(\d+)\]?/.exec(place) ?? [];
    const item = digits === "" ? undefined : document[Number(digits)];
    if (item === undefined) return [];
    return [Number(digits), ...follow(item, place.slice(all.length))];
  }
  if (!isJsonObject(document)) return [];
  // A name of digits looks like the index of a list.
  const rest = place.replace(/^\.|^\[(\d+)\]/, "$1");
  const key = Object.keys(document)
    .filter((name) => isSameWord(rest.slice(0, name.length), name))
    .filter((name) => /^(?:$|[^\w-])/.test(rest.slice(name.length)))
    .sort((left, right) => right.length - left.length)[0];
  const inner = key === undefined ? undefined : valueAt(document, [key]);
  if (key === undefined || inner === undefined) return [];
  return [key, ...follow(inner, rest.slice(key.length))];
};

const deepest = (paths: readonly DocumentPath[]): DocumentPath =>
  paths.reduce((best, path) => (path.length > best.length ? path : best), []);

const FOR_INSTANCE = " for instance ";

/** Nova's errors about the boot disk end with the name of the server. */
const instanceIn = (message: string): string | undefined => {
  const isAboutBoot = /^(?:Multiple|Neither) /.test(message) && /\bboot/.test(message);
  const at = isAboutBoot ? message.lastIndexOf(FOR_INSTANCE) : -1;
  return at < 0 ? undefined : message.slice(at + FOR_INSTANCE.length).replace(/\.$/, "");
};

const namedPlace = (message: string, document: JsonObject): DocumentPath => {
  const sections = Object.keys(document).flatMap((section) => {
    const starts = [...message.matchAll(/(?<![A-Za-z_])[A-Za-z_]+(?=[.[])/g)].filter(([word]) =>
      isSameWord(word, section),
    );
    return starts.map(({ index }) => follow(document, message.slice(index)));
  });
  const [, named] =
    /\(in ([^()]+)\)/.exec(message) ?? /^Resource (.+) type must be /.exec(message) ?? [];
  const resource = named ?? instanceIn(message);
  const section = Object.keys(document).find((key) => isSameWord(key, "resources"));
  const inside =
    resource === undefined || section === undefined
      ? []
      : follow(document, `${section}.${resource.replace(/ (?=\w+$)/, ".")}`);
  return deepest([...sections, inside].filter((path) => path.length > 1));
};

const wordsOf = (message: string): readonly string[] => [
  ...[...message.matchAll(/Attribute \(\S+ ([^()]+)\)/g)].map(([, attribute = ""]) => attribute),
  ...[...message.matchAll(/"([^"]+)"|'([^']+)'|\(([^()]+)\)/g)].flatMap(([, ...words]) =>
    words.filter((word) => word !== undefined),
  ),
  ...[...message.matchAll(/for parameter:? ([\w:.-]*\w)/g)].map(([, name = ""]) => name),
  ...[
    ...message.matchAll(
      /(?:Property|parameter|section is invalid|key|param|property):? ([\w:.-]+)/gi,
    ),
  ].map(([, word = ""]) => word.replace(/\.$/, "")),
];

const search = (value: Json, word: string, base: DocumentPath): DocumentPath | null => {
  if (value === word) return base;
  if (isJsonArray(value)) {
    for (const [index, item] of value.entries()) {
      const found = search(item, word, [...base, index]);
      if (found !== null) return found;
    }
    return null;
  }
  if (!isJsonObject(value)) return null;
  for (const [key, member] of Object.entries(value)) {
    if (key === word) return [...base, key];
    const found = search(member, word, [...base, key]);
    if (found !== null) return found;
  }
  return null;
};

export const locate = (message: string, document: JsonObject): DocumentPath => {
  const base = namedPlace(message, document);
  const around = valueAt(document, base) ?? document;
  for (const word of wordsOf(message)) {
    const found = search(around, word, base);
    if (found !== null && found.length > base.length) return found;
  }
  return base;
};

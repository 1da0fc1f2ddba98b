/**
 * All errors of a template at once. Heat's API tells the first one only. So the wrong part is taken
 * out, and the API is asked again, until it finds nothing or nothing can be taken out.
 */
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { didYouMean } from "./did-you-mean.ts";
import { type DocumentPath, placeIn, type TextPlace, valueAt } from "./document-path.ts";
import { locate } from "./locate.ts";
import { mendings, UNIT_STEPS, unitMendings, unitOf } from "./mend.ts";

/** Each finds an error, or one that follows from it. */
export const ROUNDS_MAX = 200;
/** So many are tried for an error that names no place. Each is a question. */
const UNITS_MAX = 100;

export interface AuthoredDocument {
  readonly kind: "template" | "environment";
  readonly file: string;
  /** Null: it is not in a file, as the parameters of a command line. */
  readonly text: string | null;
  readonly content: JsonObject;
}

export interface Refusal {
  /** Heat's name of the error. */
  readonly code: string;
  readonly message: string;
}

export interface Problem extends Refusal {
  readonly file: string;
  /** Null: the document is in no file. */
  readonly place: TextPlace | null;
  /** What the author may have meant; null: nothing is near. */
  readonly suggestion: string | null;
}

export interface Authority {
  /** Null: there is no error. It gets the documents' contents in their order. */
  readonly ask: (contents: readonly JsonObject[]) => Promise<Refusal | null>;
  /** Words that may stand at a place, besides the template's own names. */
  readonly wordsFor: (content: JsonObject, path: DocumentPath) => Promise<readonly string[]>;
}

export interface Found {
  readonly problems: readonly Problem[];
  /** False: an error stays whatever is taken out, or there are too many. It may hide others. */
  readonly areAll: boolean;
}

/** Templates that are types, by the URLs that errors show. */
export type NestedDocuments = ReadonlyMap<string, AuthoredDocument>;

interface Search extends Authority {
  readonly documents: readonly AuthoredDocument[];
  readonly nested: NestedDocuments;
  readonly contents: readonly JsonObject[];
}

interface Spot {
  /** Its index. */
  readonly document: number;
  readonly path: DocumentPath;
}

/** An environment's value wins over the default. */
const isAboutDefault = (message: string): boolean => message.includes("Invalid default");

/** The deepest place in all documents. Of equal ones the last one counts, as values do. */
const spotOf = (message: string, contents: readonly JsonObject[]): Spot => {
  let best: Spot = { document: 0, path: [] };
  for (const [document, content] of contents.entries()) {
    const path = locate(message, content);
    const isAsDeep = path.length === best.path.length && path.length > 0;
    if (path.length > best.path.length || (isAsDeep && !isAboutDefault(message))) {
      best = { document, path };
    }
  }
  return best;
};

interface Mended {
  /** What was taken out. */
  readonly path: DocumentPath;
  readonly contents: readonly JsonObject[];
  readonly refusal: Refusal | null;
}

/** Takes the wrong part out; null: the error stays whatever is taken out. */
const mend = async (
  { document, path }: Spot,
  refusal: Refusal,
  { documents, contents, ask }: Search,
): Promise<Mended | null> => {
  const kind = documents[document]?.kind ?? "template";
  const content = contents[document] ?? {};
  // The words of an error may stand elsewhere too, so that the place is a wrong one.
  const units = unitMendings(content).slice(0, UNITS_MAX);
  for (const mending of [...mendings(content, path, kind), ...units]) {
    const next = contents.map((content, at) => (at === document ? mending.content : content));
    const answer = await ask(next);
    if (answer?.message !== refusal.message) {
      return { path: mending.path, contents: next, refusal: answer };
    }
  }
  return null;
};

const mentions = (value: Json | undefined, name: string): boolean => {
  if (value === undefined || value === null) return false;
  if (typeof value === "string") return value === name;
  if (Array.isArray(value)) return value.some((item: Json) => mentions(item, name));
  return isJsonObject(value) && Object.values(value).some((item) => mentions(item, name));
};

/** Whether an error may be there only because something was taken out. */
const mayFollow = (
  spot: Spot,
  { message }: Refusal,
  content: JsonObject,
  taken: readonly Spot[],
): boolean => {
  const unit = unitOf(spot.path);
  return taken.some(({ path }) => {
    const isHere = isSamePath(unitOf(path), unit);
    if (isHere && (path.length <= unit.length || MISSING.test(message))) return true;
    const name = String(path.at(-1));
    if (!namesWord(message, name)) return false;
    // Elsewhere only the name of a whole resource, parameter or condition can be missed.
    return isHere || (path.length === UNIT_STEPS && mentions(valueAt(content, unit), name));
  });
};

const WORD_CHARACTER = /[\w-]/;

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && WORD_CHARACTER.test(character);

/** Whether the word is there, and not only as a part of another one. */
const namesWord = (message: string, word: string): boolean => {
  for (let at = message.indexOf(word); at >= 0; at = message.indexOf(word, at + 1)) {
    const isPart = isWordCharacter(message[at - 1]) || isWordCharacter(message[at + word.length]);
    if (!isPart) return true;
  }
  return false;
};

/** What was taken out may be what is missing. */
const MISSING = /not assigned|must contain/;

const isIn = (inner: DocumentPath, outer: DocumentPath): boolean =>
  isSamePath(inner.slice(0, outer.length), outer);

const isSamePath = (left: DocumentPath, right: DocumentPath): boolean =>
  left.length === right.length && left.every((step, at) => step === right[at]);

/** The word that is wrong: the text at the place, or its key. Null: the message has neither. */
const wordAt = (content: JsonObject, path: DocumentPath, message: string): string | null => {
  const words = [valueAt(content, path), path.at(-1)];
  const word = words.find((one) => typeof one === "string" && message.includes(one));
  return typeof word === "string" ? word : null;
};

/** A place of a document, as it is told. */
interface Told {
  readonly document: AuthoredDocument;
  readonly path: DocumentPath;
}

/** Heat's text has the path to a nested template: `resources.web<file:///server.yaml>.outputs…`. */
const toldInside = (message: string, nested: NestedDocuments): Told | null => {
  const urls = [...message.matchAll(/<([^<>]+)>/g)];
  for (const { 0: all, 1: url = "", index } of urls.reverse()) {
    const document = nested.get(url);
    if (document === undefined) continue;
    return { document, path: locate(message.slice(index + all.length), document.content) };
  }
  return null;
};

const namesIn = (content: JsonObject): readonly string[] =>
  Object.values(content).flatMap((section) => (isJsonObject(section) ? Object.keys(section) : []));

const suggestionFor = async (
  { document, path }: Told,
  message: string,
  { documents, contents, wordsFor }: Search,
): Promise<string | null> => {
  const word = wordAt(document.content, path, message);
  if (word === null) return null;
  // An environment may have the wrong word itself, as the name of a parameter.
  const templates =
    document.kind === "template"
      ? [document.content]
      : contents.filter((_, at) => documents[at]?.kind === "template");
  const words = await wordsFor(document.content, path);
  return didYouMean(word, [...templates.flatMap(namesIn), ...words]);
};

const problemAt = async (
  { document, path }: Spot,
  refusal: Refusal,
  search: Search,
): Promise<Problem> => {
  const {
    kind = "template",
    file: name = "",
    text: source = null,
  } = search.documents[document] ?? {};
  const content = search.contents[document] ?? {};
  const outer: Told = { document: { kind, file: name, text: source, content }, path };
  const told = toldInside(refusal.message, search.nested) ?? outer;
  const { file, text } = told.document;
  return {
    code: refusal.code,
    message: refusal.message,
    file,
    place: text === null ? null : placeIn(text, told.path),
    suggestion: await suggestionFor(told, refusal.message, search),
  };
};

/** In the order in which Heat finds them. An error that only follows from another is left out. */
export const findProblems = async (
  documents: readonly AuthoredDocument[],
  nested: NestedDocuments,
  { ask, wordsFor }: Authority,
): Promise<Found> => {
  let contents: readonly JsonObject[] = documents.map(({ content }) => content);
  let refusal = await ask(contents);
  const problems: Problem[] = [];
  const taken: Spot[] = [];
  for (let round = 0; refusal !== null && round < ROUNDS_MAX; round += 1) {
    const search: Search = { documents, nested, contents, ask, wordsFor };
    const spot = spotOf(refusal.message, contents);
    const mended = await mend(spot, refusal, search);
    const found = mended === null || isIn(spot.path, mended.path) ? spot.path : mended.path;
    const place = { document: spot.document, path: found };
    const content = contents[spot.document] ?? {};
    if (mended === null || !mayFollow(place, refusal, content, taken)) {
      problems.push(await problemAt(place, refusal, search));
    }
    if (mended === null) break;
    taken.push({ document: spot.document, path: mended.path });
    ({ contents, refusal } = mended);
  }
  return { problems, areAll: refusal === null };
};

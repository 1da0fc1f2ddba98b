/**
 * Finds all errors of a template at once, although an answer of the API contains only the errors of
 * one step. The parts with errors are taken out and the API is asked again, until it finds nothing
 * or no part can be taken out. `mend.ts` decides what is taken out.
 */
import { isJsonObject, type Json, type JsonObject } from "#lib/json.ts";
import { compareTexts } from "#lib/python/show-text.ts";
import { type DocumentPath, placesIn, type TextPlace, valueAt } from "./document-path.ts";
import { locate } from "./locate.ts";
import { type Mending, mendings, UNIT_STEPS, unitMendings, unitOf } from "./mend.ts";
import { didYouMean } from "./template-words.ts";

/**
 * Each round finds at least one error, or an error that follows from it.
 * @limit answers of the host in which `hearth template validate` looks for errors
 * @beyond it says that there may be more
 */
export const ROUNDS_MAX = 200;
/** If an error names no place, this many units are tried. Each try is a request. */
const UNITS_MAX = 100;

export interface AuthoredDocument {
  readonly kind: "template" | "environment";
  readonly file: string;
  /** Null when the document is not in a file, as for parameters of a command line. */
  readonly text: string | null;
  readonly content: JsonObject;
}

export interface Refusal {
  readonly code: string;
  readonly message: string;
}

export interface Problem extends Refusal {
  readonly file: string;
  readonly place: TextPlace | null;
  readonly suggestion: string | null;
}

export interface Authority {
  readonly ask: (contents: readonly JsonObject[]) => Promise<readonly Refusal[]>;
  /** The words that are allowed at a place, in addition to names that the template defines. */
  readonly wordsFor: (content: JsonObject, path: DocumentPath) => Promise<readonly string[]>;
}

export interface Found {
  readonly problems: readonly Problem[];
  /**
   * False when an error could not be taken out, or when the limit was reached. Others may be
   * hidden.
   */
  readonly areAll: boolean;
}

export type NestedDocuments = ReadonlyMap<string, AuthoredDocument>;

interface Search extends Authority {
  readonly place: (text: string, path: DocumentPath) => TextPlace;
  readonly documents: readonly AuthoredDocument[];
  readonly nested: NestedDocuments;
  readonly contents: readonly JsonObject[];
}

interface Spot {
  readonly document: number;
  readonly path: DocumentPath;
}

/** A default may be invalid even if the environment overrides it. */
const isAboutDefault = (message: string): boolean => message.includes("Invalid default");

/** Chooses the deepest place in all documents. Among equals the last one wins, as for values. */
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

const isTold = (refusals: readonly Refusal[], { message }: Refusal): boolean =>
  refusals.some((one) => one.message === message);

const replacedAt = (
  contents: readonly JsonObject[],
  document: number,
  content: JsonObject,
): readonly JsonObject[] => contents.map((one, at) => (at === document ? content : one));

/**
 * An error's words may also occur elsewhere, so its place may be wrong. Then each unit is tried.
 */
function* allMendings(
  content: JsonObject,
  path: DocumentPath,
  kind: AuthoredDocument["kind"],
): Generator<Mending> {
  yield* mendings(content, path, kind);
  yield* unitMendings(content, UNITS_MAX);
}

const mentions = (value: Json | undefined, name: string): boolean => {
  if (value === undefined || value === null) return false;
  if (typeof value === "string") return value === name;
  if (Array.isArray(value)) return value.some((item: Json) => mentions(item, name));
  return isJsonObject(value) && Object.values(value).some((item) => mentions(item, name));
};

/** Whether the error may exist only because something was taken out before. */
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
    // Elsewhere, only the name of a whole resource, parameter or condition can be missing.
    return isHere || (path.length === UNIT_STEPS && mentions(valueAt(content, unit), name));
  });
};

const WORD_CHARACTER = /[\w-]/;

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && WORD_CHARACTER.test(character);

const namesWord = (message: string, word: string): boolean => {
  for (let at = message.indexOf(word); at >= 0; at = message.indexOf(word, at + 1)) {
    const isPart = isWordCharacter(message[at - 1]) || isWordCharacter(message[at + word.length]);
    if (!isPart) return true;
  }
  return false;
};

const MISSING = /not assigned|must contain/;

const isIn = (inner: DocumentPath, outer: DocumentPath): boolean =>
  isSamePath(inner.slice(0, outer.length), outer);

const isSamePath = (left: DocumentPath, right: DocumentPath): boolean =>
  left.length === right.length && left.every((step, at) => step === right[at]);

const wordAt = (content: JsonObject, path: DocumentPath, message: string): string | null => {
  const words = [valueAt(content, path), path.at(-1)];
  const word = words.find((one) => typeof one === "string" && message.includes(one));
  return typeof word === "string" ? word : null;
};

interface Told {
  readonly document: AuthoredDocument;
  readonly path: DocumentPath;
}

/**
 * Heat's text contains the path to a nested template:
 * `resources.web<file:///server.yaml>.outputs…`.
 */
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
  // An environment may contain the wrong word itself, as the name of a parameter.
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
    place: text === null ? null : search.place(text, told.path),
    suggestion: await suggestionFor(told, refusal.message, search),
  };
};

const placeFinder = (): ((text: string, path: DocumentPath) => TextPlace) => {
  const known = new Map<string, ReturnType<typeof placesIn>>();
  return (text, path) => {
    const places = known.get(text) ?? placesIn(text);
    known.set(text, places);
    return places(path);
  };
};

interface Taken {
  readonly refusal: Refusal;
  readonly spot: Spot;
  readonly path: DocumentPath;
  readonly contents: readonly JsonObject[];
}

interface TakenOut {
  readonly taken: readonly Taken[];
  readonly contents: readonly JsonObject[];
}

/** By the text of an error: how many smaller parts were tried before. The default is 0. */
type Sizes = ReadonlyMap<string, number>;

const takeOut = (
  refusals: readonly Refusal[],
  { documents, contents }: Search,
  sizes: Sizes,
): TakenOut => {
  let left = contents;
  const taken: Taken[] = [];
  for (const refusal of refusals) {
    const spot = spotOf(refusal.message, left);
    const kind = documents[spot.document]?.kind ?? "template";
    const parts = mendings(left[spot.document] ?? {}, spot.path, kind);
    const mending = parts[sizes.get(refusal.message) ?? 0];
    if (mending === undefined) continue;
    taken.push({ refusal, spot, path: mending.path, contents: left });
    left = replacedAt(left, spot.document, mending.content);
  }
  return { taken, contents: left };
};

interface Step extends TakenOut {
  readonly refusals: readonly Refusal[];
}

/** Handles all errors of an answer together. If an error stays, the next larger part is tried. */
const mendTogether = async (refusals: readonly Refusal[], search: Search): Promise<Step | null> => {
  const sizes = new Map<string, number>();
  for (;;) {
    const all = takeOut(refusals, search, sizes);
    if (all.taken.length === 0) return null;
    const answer = await search.ask(all.contents);
    const stay = all.taken.filter(({ refusal }) => isTold(answer, refusal));
    if (stay.length === 0) return { ...all, refusals: answer };
    for (const message of new Set(stay.map(({ refusal }) => refusal.message))) {
      sizes.set(message, (sizes.get(message) ?? 0) + 1);
    }
  }
};

const mendFirst = async (
  refusal: Refusal,
  { documents, contents, ask }: Search,
): Promise<Step | null> => {
  const spot = spotOf(refusal.message, contents);
  const kind = documents[spot.document]?.kind ?? "template";
  for (const mending of allMendings(contents[spot.document] ?? {}, spot.path, kind)) {
    const next = replacedAt(contents, spot.document, mending.content);
    const refusals = await ask(next);
    if (isTold(refusals, refusal)) continue;
    return { taken: [{ refusal, spot, path: mending.path, contents }], contents: next, refusals };
  }
  return null;
};

const foundAt = ({ spot, path }: Taken): Spot => ({
  document: spot.document,
  path: isIn(spot.path, path) ? spot.path : path,
});

const byPlace = (left: Problem, right: Problem): number =>
  compareTexts(left.file, right.file) ||
  (left.place?.line ?? 0) - (right.place?.line ?? 0) ||
  (left.place?.column ?? 0) - (right.place?.column ?? 0);

/** Sorted by file and place. Errors that only follow from another error are left out. */
export const findProblems = async (
  documents: readonly AuthoredDocument[],
  nested: NestedDocuments,
  { ask, wordsFor }: Authority,
): Promise<Found> => {
  const place = placeFinder();
  const problems: Problem[] = [];
  const before: Spot[] = [];
  let contents: readonly JsonObject[] = documents.map(({ content }) => content);
  let refusals = await ask(contents);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const [first] = refusals;
    if (first === undefined) break;
    const search: Search = { documents, nested, contents, ask, wordsFor, place };
    const several = refusals.length > 1 ? await mendTogether(refusals, search) : null;
    const step = several ?? (await mendFirst(first, search));
    if (step === null) {
      problems.push(await problemAt(spotOf(first.message, contents), first, search));
      break;
    }
    for (const taken of step.taken) {
      const spot = foundAt(taken);
      const content = taken.contents[spot.document] ?? {};
      if (mayFollow(spot, taken.refusal, content, before)) continue;
      problems.push(await problemAt(spot, taken.refusal, { ...search, contents: taken.contents }));
    }
    before.push(...step.taken.map(({ spot, path }) => ({ document: spot.document, path })));
    ({ contents, refusals } = step);
  }
  return { problems: problems.toSorted(byPlace), areAll: refusals.length === 0 };
};

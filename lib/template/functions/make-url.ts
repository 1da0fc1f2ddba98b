/** make_url: a URL made of its parts, each encoded as Python's urllib does it. */
import { validationFailed } from "#lib/errors.ts";
import { isJsonObject, type Json, type JsonObject, magnitudeOf } from "#lib/json.ts";
import { isCollection, isEmpty, member } from "../json-shape.ts";
import { pythonRepr, pythonText } from "../python-text.ts";
import { integerFrom, notConvertible, refuseSurrogates } from "../python-values.ts";
import {
  ANY,
  argument,
  type IsCall,
  integer,
  keys,
  mapOfAll,
  optional,
  TEXT,
  type TemplateFunction,
  takesWritten,
} from "./function.ts";

const PARTS = ["scheme", "username", "password", "host", "port", "path", "query", "fragment"];
const TEXT_PARTS = PARTS.filter((part) => part !== "port" && part !== "query");
const PORT_MAX = 65_535;

/** Python writes two slashes after these schemes even if there is no host. */
const HOST_SCHEMES: ReadonlySet<string> = new Set(
  "ftp http gopher nntp telnet imap wais file mms https shttp snews prospero rtsp rtsps rtspu rsync svn svn+ssh sftp nfs git git+ssh ws wss".split(
    " ",
  ),
);

const wrongPort = (port: Json, args: JsonObject): string | null => {
  if (port === null || isCollection(port)) return notConvertible(port);
  const number = integerFrom(port);
  if (number === null) {
    return `Invalid URL port "${pythonText(port)}" for make_url called with ${pythonRepr(args)}`;
  }
  const magnitude = magnitudeOf(number);
  if (magnitude > 0 && magnitude <= PORT_MAX) return null;
  return `Invalid URL port ${number}, must be in range 1-${PORT_MAX}`;
};

/** In Heat's order. Heat does not check the parts after the query. */
const wrongPart = (args: JsonObject, isCall: IsCall): string | null => {
  for (const part of PARTS) {
    const value = member(args, part);
    if (value === undefined) continue;
    if (part === "query") {
      return isJsonObject(value) ? null : `The "query" argument to "make_url" must be a map`;
    }
    if (isCall(value)) continue;
    const isText = typeof value === "string";
    if (part !== "port" && !isText) return `The "${part}" argument to "make_url" must be a string`;
    const wrong = part === "port" ? wrongPort(value, args) : null;
    if (wrong !== null) return wrong;
  }
  return null;
};

const refuseLater = (args: Json, isCall: IsCall): string | null => {
  if (!isJsonObject(args) || isCall(args)) return 'The arguments to "make_url" must be a map';
  const unknown = Object.keys(args).filter((key) => !PARTS.includes(key));
  if (unknown.length > 0) return `Invalid arguments to "make_url": ${unknown.join(", ")}`;
  return wrongPart(args, isCall);
};

const OTHERS = /[!'()*]/g;

const encoded = (text: string): string => {
  refuseSurrogates(text);
  return encodeURIComponent(text).replace(
    OTHERS,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
};

const withSlashes = (text: string): string => encoded(text).replaceAll("%2F", "/");

const asText = (value: Json): string => {
  if (typeof value === "string") return value;
  throw validationFailed("quote_from_bytes() expected bytes");
};

const textAt = (args: JsonObject, part: string): string => asText(member(args, part) ?? "");

const userOf = (args: JsonObject): string => {
  const username = encoded(textAt(args, "username"));
  const password = encoded(textAt(args, "password"));
  if (password !== "") return `${username}:${password}@`;
  return username === "" ? "" : `${username}@`;
};

const hostOf = (args: JsonObject): string => {
  const given = textAt(args, "host");
  const isBracketed = given.startsWith("[") && given.endsWith("]");
  const host = encoded(isBracketed ? given.slice(1, -1) : given).replaceAll("%3A", ":");
  const port = member(args, "port") ?? "";
  const name = host.includes(":") ? `[${host}]` : host;
  return isEmpty(port) ? name : `${name}:${pythonText(port)}`;
};

const formText = (value: Json): string => encoded(pythonText(value)).replaceAll("%20", "+");

const queryOf = (args: JsonObject): string => {
  const query = member(args, "query");
  if (!isJsonObject(query)) return "";
  const pairs = Object.entries(query).map(([key, value]) => `${formText(key)}=${formText(value)}`);
  return pairs.join("&").replaceAll("%2F", "/");
};

/** Python's urlunsplit(). */
const joined = (scheme: string, host: string, path: string): string => {
  const needsHost = HOST_SCHEMES.has(scheme) && !path.startsWith("//");
  const separator = path === "" || path.startsWith("/") ? "" : "/";
  const rest = host !== "" || needsHost ? `//${host}${separator}${path}` : path;
  return scheme === "" ? rest : `${scheme}:${rest}`;
};

const urlOf = (args: JsonObject): string => {
  const scheme = textAt(args, "scheme");
  if (scheme.includes(":")) throw validationFailed(`URL "scheme" should not contain ':'`);
  const path = withSlashes(textAt(args, "path"));
  const query = queryOf(args);
  const fragment = member(args, "fragment");
  const anchor = fragment === undefined ? "" : withSlashes(asText(fragment));
  const address = joined(scheme, `${userOf(args)}${hostOf(args)}`, path);
  return address + (query === "" ? "" : `?${query}`) + (anchor === "" ? "" : `#${anchor}`);
};

/** The budget counts the unencoded text. Encoding makes a text up to nine times as long. */
const charactersMin = (args: JsonObject): number =>
  Object.values(args).reduce<number>((sum, value) => {
    const texts = isJsonObject(value) ? Object.entries(value).flat() : [value];
    return texts.reduce<number>(
      (inner, text) => inner + (typeof text === "string" ? text.length : 0),
      sum,
    );
  }, 0);

export const makeUrl: TemplateFunction = {
  name: "make_url",
  description: "A URL of its parts, encoded where that is needed.",
  takes: takesWritten(
    keys(
      ...TEXT_PARTS.map((part) => optional(argument(part, `the ${part} of the URL`, TEXT))),
      optional(argument("port", "the port of the host", integer(1, PORT_MAX))),
      optional(argument("query", "names and values, which need no encoding", mapOfAll(ANY))),
    ),
  ),
  refuse: () => null,
  refuseLater,
  evaluate: (unresolved, evaluation) => {
    const args = evaluation.resolve(unresolved);
    if (!isJsonObject(args)) throw validationFailed('The arguments to "make_url" must be a map');
    const wrong = wrongPart(args, () => false);
    if (wrong !== null) throw validationFailed(wrong);
    evaluation.budget.mayBuild("make_url", charactersMin(args));
    return urlOf(args);
  },
};

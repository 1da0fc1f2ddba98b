import { dirname, join, normalize } from "node:path";
import type { TextFile } from "./repository.ts";

export interface Claim {
  readonly line: number;
  readonly text: string;
}

export interface Claims {
  readonly paths: readonly Claim[];
  readonly names: readonly Claim[];
  readonly places: readonly Claim[];
  readonly commands: readonly Claim[];
  readonly links: readonly Claim[];
}

const FENCE = /^\s*```/;
const FILE = /\.(?:ts|cjs|mjs|json|md|ya?ml|sh)$/;
const COMMAND = /^(?:npm (?:run|test|start)\b|(?:npx )?hearth )/;
/** camelCase, PascalCase with an inner capital, SCREAMING_CASE, snake_case. */
const NAME =
  /^(?:[a-z][a-z0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[A-Z][A-Z0-9]*_[A-Z0-9_]+|_?[a-z][a-z0-9]*(?:_[a-z0-9]+)+)$/;

const isPath = (text: string, folders: ReadonlySet<string>): boolean =>
  /^[\w.@*-]+(?:\/[\w.@*-]+)*\/?$/.test(text) &&
  (FILE.test(text) || (text.includes("/") && folders.has(text.split("/")[0] ?? "")));

/** Words of a span that look like names in code. URL paths and file names are left out. */
const namesIn = (span: string): readonly string[] =>
  span.split(/[^\w]+/).filter((word) => NAME.test(word));

const PLACES = /((?:`\w+`(?:, | and )?)+) in \[?([\w-]+\.ts)\b/g;

const placesIn = (content: string): readonly string[] =>
  [...content.matchAll(PLACES)].flatMap(([, names = "", file = ""]) =>
    [...names.matchAll(/\w+(?=`)/g)].map(([name]) => `${name} in ${file}`),
  );

export const claimsOf = ({ text }: TextFile, folders: ReadonlySet<string>): Claims => {
  const paths: Claim[] = [];
  const names: Claim[] = [];
  const places: Claim[] = [];
  const commands: Claim[] = [];
  const links: Claim[] = [];
  let inCode = false;
  text.split("\n").forEach((content, at) => {
    const line = at + 1;
    const add = (claims: Claim[], claim: string) => claims.push({ line, text: claim });
    if (FENCE.test(content)) inCode = !inCode;
    else if (inCode) {
      if (COMMAND.test(content.trim())) add(commands, content.trim());
    } else {
      for (const [, span = ""] of content.matchAll(/`([^`]+)`/g)) {
        if (COMMAND.test(span)) add(commands, span);
        else if (isPath(span, folders)) add(paths, span);
        else for (const name of namesIn(span)) add(names, name);
      }
      for (const place of placesIn(content)) add(places, place);
      for (const [, target = ""] of content.matchAll(/\]\(([^)\s]+)\)/g)) {
        if (!/^[a-z]+:/.test(target)) add(links, target);
      }
    }
  });
  return { paths, names, places, commands, links };
};

export const targetOf = (page: string, link: string): { path: string; anchor: string } => {
  const [path = "", anchor = ""] = link.split("#");
  return { path: path === "" ? page : normalize(join(dirname(page), path)), anchor };
};

export const anchorsOf = (text: string): ReadonlySet<string> => {
  const anchors = new Set<string>();
  let inCode = false;
  for (const line of text.split("\n")) {
    if (FENCE.test(line)) inCode = !inCode;
    const [, heading] = inCode ? [] : (/^#+ +(.*)$/.exec(line) ?? []);
    if (heading === undefined) continue;
    const words = heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "");
    anchors.add(words.replaceAll(" ", "-"));
  }
  return anchors;
};

export const commandWords = (command: string): readonly string[] =>
  command
    .replace(/\s#.*$/, "")
    .replace(/^npx /, "")
    .split(/\s+/)
    .filter(Boolean);

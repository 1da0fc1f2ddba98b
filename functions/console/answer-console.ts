/**
 * The console's files below `/console/`, and its page for browsers also at `/`. They contain no
 * data of stacks, so they need no token.
 */
import { createHash } from "node:crypto";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gzipSync } from "node:zlib";
import type { APIGatewayProxyResult } from "aws-lambda";
import { faultResponse } from "#lib/api/errors.ts";
import { present } from "#lib/errors.ts";
import { proxyResult } from "../http-event.ts";

export const CONSOLE_PREFIX = "/console/";
const PAGE = "index.html";
const HASHED = "assets/";
const IMMUTABLE = "public, max-age=31536000, immutable";

/** The page loads only its own files, and inline scripts and styles are forbidden. */
const CONTENT_SECURITY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const SECURITY_HEADERS = {
  "Content-Security-Policy": CONTENT_SECURITY,
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Opener-Policy": "same-origin",
} as const;

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
};

const NOT_BUILT = `<!doctype html><html lang="en"><title>Hearth</title>
<h1>The console is not built</h1>
<p>Run <code>npm run build -- web</code> in the clone that this host runs from, and load this page
again. The API answers at <code>/v1/</code>.</p></html>
`;

interface ServedFile {
  readonly type: string;
  readonly etag: string;
  readonly cache: string;
  /** Browsers accept Brotli only over HTTPS and from this machine. Elsewhere they get gzip. */
  readonly encoded: (encoding: Encoding) => string;
}

type Encoding = "br" | "gzip" | "identity";

const once = (make: () => string): (() => string) => {
  let made: string | null = null;
  return () => {
    made ??= make();
    return made;
  };
};

/** The page's links are relative to its folder, so the copy at `/` needs a longer path. */
const pageAtRoot = (brotli: string): string => {
  const page = brotliDecompressSync(Buffer.from(brotli, "base64")).toString();
  return brotliCompressSync(page.replaceAll('"./', '"./console/')).toString("base64");
};

const servedFile = (path: string, brotli: string): ServedFile => {
  const bytes = Buffer.from(brotli, "base64");
  const plain = (): Buffer => brotliDecompressSync(bytes);
  const texts = {
    br: () => brotli,
    gzip: once(() => gzipSync(plain(), { level: 9 }).toString("base64")),
    identity: once(() => plain().toString("base64")),
  };
  return {
    type: TYPES[path.slice(path.lastIndexOf(".") + 1)] ?? "application/octet-stream",
    etag: createHash("sha256").update(bytes).digest("base64url").slice(0, 22),
    cache: path.startsWith(HASHED) ? IMMUTABLE : "no-cache",
    encoded: (encoding) => texts[encoding](),
  };
};

interface ConsoleRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
}

export const isConsolePath = (path: string): boolean => path.startsWith(CONSOLE_PREFIX);

/** API clients accept JSON or anything. Only a browser names HTML. */
export const isForConsole = ({ path, headers }: Omit<ConsoleRequest, "method">): boolean =>
  isConsolePath(path) || (path === "/" && (headers["accept"] ?? "").includes("text/html"));

const encodingFor = (accepted: string): Encoding => {
  const names = accepted.split(",").flatMap((part) => {
    const [name = "", weight = ""] = part.split(";");
    return /^\s*q=0(\.0*)?\s*$/.test(weight) ? [] : [name.trim()];
  });
  return (["br", "gzip"] as const).find((name) => names.includes(name)) ?? "identity";
};

const page = (statusCode: number, body: string): APIGatewayProxyResult => ({
  statusCode,
  headers: {
    "Content-Type": "text/html; charset=utf-8",
    "Cache-Control": "no-store",
    Vary: "Accept",
    ...SECURITY_HEADERS,
  },
  body,
});

const answerFile = (file: ServedFile, { path, headers }: ConsoleRequest): APIGatewayProxyResult => {
  const encoding = encodingFor(headers["accept-encoding"] ?? "");
  const etag = `"${file.etag}-${encoding}"`;
  const answer = {
    "Content-Type": file.type,
    "Cache-Control": file.cache,
    ETag: etag,
    Vary: path === "/" ? "Accept, Accept-Encoding" : "Accept-Encoding",
    ...(encoding === "identity" ? {} : { "Content-Encoding": encoding }),
    ...SECURITY_HEADERS,
  };
  if (headers["if-none-match"] === etag) return { statusCode: 304, headers: answer, body: "" };
  const body = file.encoded(encoding);
  return { statusCode: 200, headers: answer, body, isBase64Encoded: true };
};

export const notFound = (): APIGatewayProxyResult =>
  proxyResult(faultResponse(404, "HTTPNotFound"));

type Answering = (request: ConsoleRequest) => APIGatewayProxyResult;

type Served = ReadonlyMap<string, ServedFile>;

const servedFiles = (files: ConsoleFiles): Served => {
  const page = present(files[PAGE], "the page of the console");
  return new Map([
    ["/", servedFile(PAGE, pageAtRoot(page))],
    [CONSOLE_PREFIX, servedFile(PAGE, page)],
    ...Object.entries(files).map(
      ([path, brotli]) => [`${CONSOLE_PREFIX}${path}`, servedFile(path, brotli)] as const,
    ),
  ]);
};

/** A host in a clone that nobody has built says what to run. */
const notBuilt = (): APIGatewayProxyResult => page(503, NOT_BUILT);

/** `whenMissing` answers for all files if there are none. */
export const openConsole = (read: () => ConsoleFiles | null, whenMissing = notBuilt): Answering => {
  // The files are read at the first request, because most hosts are never asked for the console.
  let served: Served | null = null;
  const findFiles = (): Served | null => {
    if (served !== null) return served;
    const files = read();
    served = files === null ? null : servedFiles(files);
    return served;
  };
  return (request) => {
    const { method, path } = request;
    if (method !== "GET" && method !== "HEAD") {
      const allow = { Allow: "GET,HEAD" };
      return proxyResult(faultResponse(405, "HTTPMethodNotAllowed", undefined, allow));
    }
    const files = findFiles();
    if (files === null) return whenMissing();
    const file = files.get(path);
    if (file === undefined) return notFound();
    return answerFile(file, request);
  };
};

const ENDING = ".br";

export type ConsoleFiles = Readonly<Record<string, string>>;

export const filesIn = (folder: string): ConsoleFiles | null => {
  if (!existsSync(join(folder, `index.html${ENDING}`))) return null;
  return Object.fromEntries(
    globSync(`**/*${ENDING}`, { cwd: folder }).map((path) => [
      path.slice(0, -ENDING.length),
      readFileSync(join(folder, path), "base64"),
    ]),
  );
};

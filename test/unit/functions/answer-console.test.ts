import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { isForConsole, openConsole } from "#functions/console/answer-console.ts";
import { handler as consoleHandler } from "#functions/console/handler.ts";
import { proxyEvent } from "#host/lambda-events.ts";

const PAGE = '<!doctype html><title>Hearth</title><script src="./assets/a-1.js"></script>';
const SCRIPT = "console.log(1);".repeat(50);
const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

const compressed = (text: string): string => brotliCompressSync(text).toString("base64");
const FILES = { "index.html": compressed(PAGE), "assets/a-1.js": compressed(SCRIPT) };
const answer = openConsole(() => FILES);

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  answer({ method: "GET", path, headers });

const bytesOf = ({ body }: { body: string }): Buffer => Buffer.from(body, "base64");

describe("the console's files", () => {
  it("are for browsers at /, and for everybody below /console/", () => {
    expect(isForConsole({ path: "/", headers: BROWSER })).toBe(true);
    expect(isForConsole({ path: "/console/assets/a-1.js", headers: {} })).toBe(true);
    for (const accept of ["application/json", "*/*", ""]) {
      expect(isForConsole({ path: "/", headers: { accept } })).toBe(false);
    }
    expect(isForConsole({ path: "/v1/", headers: BROWSER })).toBe(false);
  });

  it("go out in the best form that the browser takes", () => {
    const script = "/console/assets/a-1.js";
    const brotli = get(script, { "accept-encoding": "gzip, deflate, br" });
    expect(brotli.headers).toMatchObject({ "Content-Encoding": "br", Vary: "Accept-Encoding" });
    expect(brotliDecompressSync(bytesOf(brotli)).toString()).toBe(SCRIPT);
    const gzip = get(script, { "accept-encoding": "gzip, br;q=0" });
    expect(gzip.headers).toMatchObject({ "Content-Encoding": "gzip" });
    expect(gunzipSync(bytesOf(gzip)).toString()).toBe(SCRIPT);
    const plain = get(script);
    expect(plain.headers).not.toHaveProperty("Content-Encoding");
    expect(bytesOf(plain).toString()).toBe(SCRIPT);
  });

  it("stay with the browser: hashed names always, and the page as long as it is the same", () => {
    expect(get("/console/assets/a-1.js").headers?.["Cache-Control"]).toContain("immutable");
    const page = get("/", BROWSER);
    expect(page.headers).toMatchObject({
      "Cache-Control": "no-cache",
      "Content-Type": "text/html; charset=utf-8",
      Vary: "Accept, Accept-Encoding",
    });
    const again = get("/", { ...BROWSER, "if-none-match": String(page.headers?.["ETag"]) });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
    const other = {
      ...BROWSER,
      "accept-encoding": "br",
      "if-none-match": String(page.headers?.["ETag"]),
    };
    expect(get("/", other).statusCode).toBe(200);
  });

  it("find each other from both places of the page", () => {
    const text = (path: string): string => bytesOf(get(path, BROWSER)).toString();
    expect(text("/")).toBe(PAGE.replace("./", "./console/"));
    expect(text("/console/index.html")).toBe(PAGE);
    expect(text("/console/")).toBe(PAGE);
  });

  it("run no script and load nothing but their own", () => {
    const policy = String(get("/", BROWSER).headers?.["Content-Security-Policy"]);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
  });

  it("are read only, and other names are not there", () => {
    expect(answer({ method: "POST", path: "/console/x.js", headers: {} }).statusCode).toBe(405);
    for (const path of ["/console/x.js", "/console", "/console/../package.json"]) {
      expect(get(path).statusCode).toBe(404);
    }
  });

  it("are missing in a clone that nobody has built, and the page says what to run", () => {
    const unbuilt = openConsole(() => null);
    const page = unbuilt({ method: "GET", path: "/", headers: BROWSER });
    expect([page.statusCode, page.body]).toEqual([
      503,
      expect.stringContaining("npm run build -- web"),
    ]);
  });
});

describe("the console's function", () => {
  const ask = (
    proxy: string,
    headers: Readonly<Record<string, string>> = {},
    read: () => typeof FILES | null = () => FILES,
  ) => {
    const request = { method: "GET", path: `/stage/console/${proxy}`, headers, body: null };
    const event = proxyEvent({
      ...request,
      search: new URLSearchParams(),
      pathParameters: { proxy },
    });
    return consoleHandler(read)(event);
  };

  it("serves the page and its files, whatever the address before them", async () => {
    const page = await ask("index.html");
    expect(page.statusCode).toBe(200);
    expect(bytesOf(page).toString()).toBe(PAGE);
    const script = await ask("assets/a-1.js", { "Accept-Encoding": "br" });
    expect(script.headers).toMatchObject({ "Content-Encoding": "br" });
    expect((await ask("nothing.js")).statusCode).toBe(404);
  });

  it("has no page and no error of its own where the core was deployed alone", async () => {
    expect((await ask("index.html", {}, () => null)).statusCode).toBe(404);
  });
});

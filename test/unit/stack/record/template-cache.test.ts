import { expect, it } from "vitest";
import { TemplateCache } from "#lib/stack/record/template-cache.ts";

const MIB = 1_024 * 1_024;

it("the template cache drops short templates too, because each takes memory besides its text", () => {
  const cache = new TemplateCache<number>();
  const keys = Array.from({ length: 100_000 }, (_, at) => `template/${at}/empty`);
  for (const [at, key] of keys.entries()) cache.keep(key, 2, at);
  const kept = keys.filter((key) => cache.get(key) !== undefined);
  expect(kept.length).toBeLessThan(70_000);
  expect(cache.get("template/99999/empty")).toBe(99_999);
});

it("the template cache keeps an empty text, and a template that is larger than its bound", () => {
  const cache = new TemplateCache<string>();
  expect(cache.keep("none", 0, "nothing")).toBe("nothing");
  expect(cache.get("none")).toBe("nothing");
  cache.keep("large", 33 * MIB, "much");
  expect(cache.get("large")).toBe("much");
});

it("the template cache keeps the three templates of an overtaking update, whatever their size", () => {
  const cache = new TemplateCache<string>();
  const keys = ["s/rows", "s/overtaken", "s/target"] as const;
  for (const key of ["s/older", ...keys]) cache.keep(key, 40 * MIB, key);
  expect(cache.get("s/older")).toBeUndefined();
  expect(keys.map((key) => cache.get(key))).toEqual(keys);
});

it("the template cache keeps no more than its bound of templates that are shorter than that", () => {
  const cache = new TemplateCache<string>();
  const keys = Array.from({ length: 16 }, (_, at) => `s/${at}`);
  for (const key of keys) cache.keep(key, 4 * MIB, key);
  expect(keys.filter((key) => cache.get(key) !== undefined)).toEqual(keys.slice(-7));
});

it("the template cache lists the templates with a prefix, the one that was used last first", () => {
  const cache = new TemplateCache<string>();
  for (const key of ["a/1", "a/2", "b/1"]) cache.keep(key, 1, key);
  expect(cache.under("a/")).toEqual(["a/2", "a/1"]);
  cache.get("a/1");
  expect(cache.under("a/")).toEqual(["a/1", "a/2"]);
  expect(cache.under("c/")).toEqual([]);
});

it("the template cache opens a template once for all who ask meanwhile", async () => {
  const cache = new TemplateCache<string>();
  const opened = Promise.withResolvers<string>();
  let opens = 0;
  const ask = (): Promise<string> =>
    cache.opened("key", () => {
      opens += 1;
      return opened.promise;
    });
  const answers = [ask(), ask()];
  opened.resolve("parsed");
  expect(await Promise.all(answers)).toEqual(["parsed", "parsed"]);
  expect(opens).toBe(1);
  await ask();
  expect(opens).toBe(2);
});

it("the template cache opens a template again after a failure", async () => {
  const cache = new TemplateCache<string>();
  const failing = () => Promise.reject(new Error("cannot be read"));
  await expect(cache.opened("key", failing)).rejects.toThrow("cannot be read");
  expect(await cache.opened("key", async () => "parsed")).toBe("parsed");
});

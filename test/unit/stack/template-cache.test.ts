import { expect, it } from "vitest";
import { TemplateCache } from "#lib/stack/template-cache.ts";

const MIB = 1_024 * 1_024;

it("the template cache drops short templates too, because each takes memory besides its text", () => {
  const cache = new TemplateCache<number>();
  const keys = Array.from({ length: 100_000 }, (_, at) => `template/${at}/empty`);
  for (const [at, key] of keys.entries()) cache.keep(key, "{}", at);
  const kept = keys.filter((key) => cache.get(key) !== undefined);
  expect(kept.length).toBeLessThan(70_000);
  expect(cache.get("template/99999/empty")).toBe(99_999);
});

it("the template cache keeps an empty text, and a template that is larger than its bound", () => {
  const cache = new TemplateCache<string>();
  expect(cache.keep("none", "", "nothing")).toBe("nothing");
  expect(cache.get("none")).toBe("nothing");
  cache.keep("large", "x".repeat(33 * MIB), "much");
  expect(cache.get("large")).toBe("much");
});

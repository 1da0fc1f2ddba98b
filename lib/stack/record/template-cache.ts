/**
 * Keeps parsed templates, so that a worker does not parse them at every visit. The keys name
 * immutable text, so an entry cannot become stale. The least recently used template is dropped
 * first.
 */
import { LRUCache } from "lru-cache";
import { CallsUnderWay } from "#lib/calls-under-way.ts";

/** Characters of template text. A parsed template takes about four times as much memory. */
const CACHED_TEXT_CHARS_MAX = 32 * 1_024 * 1_024;
/**
 * The fixed part of a template's size. Even the empty one takes 1.5 KB of memory, so thousands of
 * short templates would take far more than five times their text.
 */
const ENTRY_CHARS = 512;
/**
 * An update's visits need its target and the record of the rows. If the update overtook another
 * one, there are rows of both. If one of these records is not cached, each visit parses megabytes.
 */
const RECORDS_OF_UPDATE = 3;
const COUNTED_CHARS_MAX = Math.floor(CACHED_TEXT_CHARS_MAX / RECORDS_OF_UPDATE);

interface CachedTemplate<Parsed> {
  readonly parsed: Parsed;
  readonly chars: number;
}

export class TemplateCache<Parsed> {
  readonly #entries = new LRUCache<string, CachedTemplate<Parsed>>({
    maxSize: CACHED_TEXT_CHARS_MAX,
    // Caps the size, so that RECORDS_OF_UPDATE templates of any size fit.
    sizeCalculation: ({ chars }) => Math.min(ENTRY_CHARS + chars, COUNTED_CHARS_MAX),
  });
  readonly #opening = new CallsUnderWay<Parsed>();

  get(key: string): Parsed | undefined {
    return this.#entries.get(key)?.parsed;
  }

  under(prefix: string): readonly Parsed[] {
    return [...this.#entries.entries()].flatMap(([key, { parsed }]) =>
      key.startsWith(prefix) ? [parsed] : [],
    );
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }

  /**
   * Concurrent calls share one opening. After a restart many visits wait, and each would parse a
   * template of megabytes.
   */
  opened(key: string, open: () => Promise<Parsed>): Promise<Parsed> {
    return this.#opening.share(key, open);
  }

  keep(key: string, chars: number, parsed: Parsed): Parsed {
    this.#entries.set(key, { parsed, chars });
    return parsed;
  }
}

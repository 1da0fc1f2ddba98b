/**
 * Parsed templates, kept so that a worker parses each once and not at every visit. The keys name
 * immutable text, so nothing in a cache can become stale. The least recently used template goes
 * first.
 */
import { LRUCache } from "lru-cache";
import { CallsUnderWay } from "#lib/calls-under-way.ts";

/** Of template text. A parsed template takes about four times as much memory. */
const CACHED_TEXT_CHARS_MAX = 32 * 1_024 * 1_024;
/**
 * What a template counts besides its text. Even the empty one takes 1.5 KB of memory, so thousands
 * of short templates would take far more than five times their text.
 */
const ENTRY_CHARS = 512;
/**
 * The visits of an update need its target and the record of their rows. If it has overtaken
 * another one in the middle, there are rows of both. Without one of these each visit parses
 * megabytes.
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
    // So many templates of any size are kept.
    sizeCalculation: ({ chars }) => Math.min(ENTRY_CHARS + chars, COUNTED_CHARS_MAX),
  });
  readonly #opening = new CallsUnderWay<Parsed>();

  get(key: string): Parsed | undefined {
    return this.#entries.get(key)?.parsed;
  }

  /** Those whose keys begin so. The one that was used last comes first. */
  under(prefix: string): readonly Parsed[] {
    return [...this.#entries.entries()].flatMap(([key, { parsed }]) =>
      key.startsWith(prefix) ? [parsed] : [],
    );
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }

  /**
   * All who ask at the same time get what one of them opens. After a restart these are all visits
   * that wait, and each would parse a template of megabytes.
   */
  opened(key: string, open: () => Promise<Parsed>): Promise<Parsed> {
    return this.#opening.share(key, open);
  }

  /** Keeps what was parsed from a text of so many characters, and returns it. */
  keep(key: string, chars: number, parsed: Parsed): Parsed {
    this.#entries.set(key, { parsed, chars });
    return parsed;
  }
}

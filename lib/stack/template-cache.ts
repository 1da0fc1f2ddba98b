/**
 * Parsed templates, kept so that a worker parses each once and not at every visit. The keys name
 * immutable text, so nothing in a cache can become stale. The least recently used template goes
 * first.
 */
import { LRUCache } from "lru-cache";

/** Of template text. A parsed template takes about five times as much memory. */
const CACHED_TEXT_BYTES_MAX = 32 * 1_024 * 1_024;
/**
 * What a template counts besides its text. Even the empty one takes 1.5 KB of memory, so thousands
 * of short templates would take far more than five times their text.
 */
const ENTRY_BYTES = 512;

interface CachedTemplate<Parsed> {
  readonly parsed: Parsed;
  readonly textBytes: number;
}

export class TemplateCache<Parsed> {
  readonly #entries = new LRUCache<string, CachedTemplate<Parsed>>({
    maxSize: CACHED_TEXT_BYTES_MAX,
    // A template that is larger than the cache fills it: its many visits need it most.
    sizeCalculation: ({ textBytes }) => Math.min(ENTRY_BYTES + textBytes, CACHED_TEXT_BYTES_MAX),
  });

  get(key: string): Parsed | undefined {
    return this.#entries.get(key)?.parsed;
  }

  forget(key: string): void {
    this.#entries.delete(key);
  }

  /** Keeps what was parsed from `text`, and returns it. `more`: what it says without text. */
  keep(key: string, text: string, parsed: Parsed, more = 0): Parsed {
    const textBytes = new TextEncoder().encode(text).byteLength + more;
    this.#entries.set(key, { parsed, textBytes });
    return parsed;
  }
}

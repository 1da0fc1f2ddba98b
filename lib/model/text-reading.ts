/** The result of reading a text. It is data, because another thread may read the text. */
import type { Json } from "#lib/json.ts";

export type TextReading =
  | { readonly document: Json }
  /** Why the text cannot be read, with the place. */
  | { readonly problem: string };

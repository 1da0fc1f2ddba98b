/** What reading a JSON or YAML text gives. It is data, because another thread may read the text. */
import type { Json } from "#lib/json.ts";

export type TextReading =
  | { readonly document: Json }
  /** Why the text is no document, with the place. */
  | { readonly problem: string };

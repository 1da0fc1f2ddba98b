/** Reads large JSON and YAML texts without keeping this thread from other requests. */
import type { TextReading } from "#lib/model/text-reading.ts";

export interface TextReader {
  /** Throws RetryLater if too many texts wait. */
  read(text: string): Promise<TextReading>;
}

/** Reads large JSON and YAML texts without blocking this thread for other requests. */
import type { TextReading } from "#lib/model/text-reading.ts";

export interface TextReader {
  read(text: string): Promise<TextReading>;
}

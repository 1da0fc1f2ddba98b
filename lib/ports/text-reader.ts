import type { TextReading } from "#lib/model/text-reading.ts";

export interface TextReader {
  read(text: string): Promise<TextReading>;
}

/** Reads the documents of a request and of nested stacks. Large ones are read in another thread. */
import type { JsonObject } from "#lib/json.ts";
import type { TextReading } from "#lib/model/text-reading.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { EnvironmentOrigin } from "#lib/template/environment/environment.ts";
import { environmentIn, readText, templateIn } from "#lib/template/parse/parse.ts";

export type TextPorts = Pick<Ports, "textReader">;

/** Reading a shorter text takes less time than sending it to another thread. */
const ASIDE_CHARS_MIN = 64 * 1_024;

export const readDocument = async (
  { textReader }: TextPorts,
  text: string,
): Promise<TextReading> =>
  textReader === undefined || text.length < ASIDE_CHARS_MIN
    ? readText(text)
    : textReader.read(text);

export const readTemplateText = async (
  ports: TextPorts,
  text: string,
  file?: string,
): Promise<JsonObject> => templateIn(await readDocument(ports, text), file);

export const readEnvironmentText = async (
  ports: TextPorts,
  text: string,
  origin: EnvironmentOrigin,
): Promise<JsonObject> => environmentIn(await readDocument(ports, text), origin);

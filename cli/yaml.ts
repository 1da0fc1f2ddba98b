/** Templates and environments as documents, read as Heat reads YAML: version 1.1, dates stay texts, the last of equal keys wins. */
import { parse } from "yaml";
import { z } from "zod";
import type { JsonObject } from "#lib/json.ts";
import { CommandFailed } from "./failure.ts";

const Document = z.record(z.string(), z.json());

/** Throws CommandFailed naming the file, with line and column where there are such. An empty file is an empty document. */
export const parseDocument = (text: string, file: string): JsonObject => {
  const document = Document.safeParse(parseYaml(text, file) ?? {});
  if (document.success) return document.data;
  throw new CommandFailed(`${file} does not hold a map of plain values.`);
};

const parseYaml = (text: string, file: string): unknown => {
  try {
    return parse(text, {
      version: "1.1",
      uniqueKeys: false,
      logLevel: "error",
      customTags: (tags) =>
        tags.filter((tag) => typeof tag === "string" || tag.tag !== "tag:yaml.org,2002:timestamp"),
    });
  } catch (error) {
    const why = error instanceof Error ? error.message.trim() : String(error);
    throw new CommandFailed(`${file} is not YAML: ${why}`, undefined, { cause: error });
  }
};

import { placeIn } from "#lib/authoring/document-path.ts";
import type { AuthoredDocument } from "#lib/authoring/find-problems.ts";
import { faultText, inventoryEnvironment, readInventory } from "#lib/inventory/inventory.ts";
import { CommandFailed } from "./failure.ts";
import { fileUrl, parseDocument, readSource } from "./source-file.ts";

export const readInventoryFile = (file: string): AuthoredDocument => {
  const source = readSource(fileUrl(file), file);
  const content = parseDocument(source);
  const reading = readInventory(content);
  if (reading.state === "wrong") {
    const { line, column } = placeIn(source.text, reading.fault.path);
    throw new CommandFailed(`${file}:${line}:${column}: ${faultText(reading.fault)}`);
  }
  return { kind: "environment", file, text: null, content: inventoryEnvironment(content) };
};

import { placeIn } from "#lib/authoring/document-path.ts";
import type { AuthoredDocument } from "#lib/authoring/find-problems.ts";
import {
  EXISTING_ENVIRONMENT,
  faultText,
  inventoryEnvironment,
  readInventory,
} from "#lib/inventory/inventory.ts";
import type { JsonObject } from "#lib/json.ts";
import { badUsage, CommandFailed } from "../failure.ts";
import { EXISTING_MACHINES, INVENTORY, isBuiltIn, STUBS } from "./named-files.ts";
import { fileUrl, parseDocument, readSource } from "./source-file.ts";

const ENVIRONMENTS: Readonly<Record<string, JsonObject>> = {
  [STUBS]: {
    resource_registry: {
      "OS::*": "Hearth::Stub::OS::*",
      "AWS::*": "Hearth::Stub::AWS::*",
      "Hearth::Machine::*": "Hearth::Stub::Hearth::Machine::*",
    },
  },
  [EXISTING_MACHINES]: EXISTING_ENVIRONMENT,
};

/** @returns null when the name is that of a file. */
export const builtInEnvironment = (name: string): AuthoredDocument | null => {
  if (!isBuiltIn(name)) return null;
  if (name.startsWith(INVENTORY)) return readInventoryFile(name.slice(INVENTORY.length));
  const content = Object.hasOwn(ENVIRONMENTS, name) ? ENVIRONMENTS[name] : undefined;
  if (content !== undefined) return { kind: "environment", file: name, text: null, content };
  const known = Object.keys(ENVIRONMENTS).join(", ");
  throw badUsage(`${name} is not an environment of Hearth. There is ${known}.`);
};

const readInventoryFile = (file: string): AuthoredDocument => {
  const source = readSource(fileUrl(file), file);
  const content = parseDocument(source);
  const reading = readInventory(content);
  if (reading.state === "wrong") {
    const { line, column } = placeIn(source.text, reading.fault.path);
    throw new CommandFailed(`${file}:${line}:${column}: ${faultText(reading.fault)}`);
  }
  return { kind: "environment", file, text: null, content: inventoryEnvironment(content) };
};

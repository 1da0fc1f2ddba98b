import type { AuthoredDocument } from "#lib/authoring/find-problems.ts";
import { EXISTING_ENVIRONMENT } from "#lib/inventory/inventory.ts";
import type { JsonObject } from "#lib/json.ts";
import { EXISTING_MACHINES, INVENTORY, isBuiltIn, STUBS } from "./environment-names.ts";
import { badUsage } from "./failure.ts";
import { readInventoryFile } from "./inventory-file.ts";

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

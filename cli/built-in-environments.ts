/** Environments that Hearth brings. A user names them with -e as `hearth:` and their name. */
import type { AuthoredDocument } from "#lib/authoring/find-problems.ts";
import { EXISTING_ENVIRONMENT } from "#lib/inventory/environment.ts";
import type { JsonObject } from "#lib/json.ts";
import { CommandFailed } from "./failure.ts";
import { readInventoryFile } from "./inventory-file.ts";

const SCHEME = "hearth:";

/** What needs a cloud, a machine or a user is a stub. Everything else is real. */
export const STUBS = `${SCHEME}stubs`;

/** Servers are machines of the user's inventory. What a cloud puts around them is a record. */
export const EXISTING_MACHINES = `${SCHEME}existing-machines`;

/** Before the name of the file with an inventory. */
const INVENTORY = `${SCHEME}inventory=`;

export const inventoryName = (file: string): string => INVENTORY + file;

const ENVIRONMENTS: Readonly<Record<string, JsonObject>> = {
  [STUBS]: {
    resource_registry: { "OS::*": "Hearth::Stub::OS::*", "AWS::*": "Hearth::Stub::AWS::*" },
  },
  [EXISTING_MACHINES]: EXISTING_ENVIRONMENT,
};

export const isBuiltIn = (name: string): boolean => name.startsWith(SCHEME);

/** Null: it is the name of a file. Throws CommandFailed for a name that Hearth does not bring. */
export const builtInEnvironment = (name: string): AuthoredDocument | null => {
  if (!isBuiltIn(name)) return null;
  if (name.startsWith(INVENTORY)) return readInventoryFile(name.slice(INVENTORY.length));
  const content = Object.hasOwn(ENVIRONMENTS, name) ? ENVIRONMENTS[name] : undefined;
  if (content !== undefined) return { kind: "environment", file: name, text: null, content };
  const known = Object.keys(ENVIRONMENTS).join(", ");
  throw new CommandFailed(`${name} is no environment of Hearth. There is ${known}.`);
};

import type { Json } from "#lib/json.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { agentWork } from "./agent-work.ts";
import { packageScript } from "./package-script.ts";

/** Debian's policy defines these forms of names and versions. */
const NAME = "[a-z0-9][a-z0-9+.-]{1,100}";
const VERSION = "[A-Za-z0-9][A-Za-z0-9.+:~-]{0,100}";

const properties: PropertySchemas = {
  name: {
    type: "string",
    description: "The name of the package.",
    required: true,
    constraints: [{ allowedPattern: NAME }],
  },
  version: {
    type: "string",
    description: "Its version. Without it any will do.",
    constraints: [{ allowedPattern: VERSION }],
    updateAllowed: true,
  },
};

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

export const machinePackage = (engine: Ports): ResourceType =>
  agentWork(engine, {
    type: "Hearth::Machine::Package",
    description:
      "A package of Debian on a machine. A delete removes it with what it needed, unless it was there before.",
    properties,
    attributes: { name: { description: "The name of the package.", type: "string" } },
    script: ({ name, version }) =>
      packageScript({ name: textOf(name), version: textOf(version) || null }),
    attributesOf: ({ name }) => ({ name: textOf(name) }),
  });

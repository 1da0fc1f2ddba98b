import type { Json, JsonObject } from "#lib/json.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { agentWork } from "./agent-work.ts";
import { serviceScript, type WantedService } from "./service-script.ts";

const UNIT_CHARS_MAX = 65_536;
const NAME = "[A-Za-z0-9_][A-Za-z0-9@_.:\\\\-]{0,199}";
const SUFFIX = /\.(service|socket|timer|path|mount|target)$/;
const RUNNING = "running";

const properties: PropertySchemas = {
  name: {
    type: "string",
    description: "The name of the unit. Without a suffix it is a service.",
    required: true,
    constraints: [{ allowedPattern: NAME }],
  },
  unit: {
    type: "string",
    description: "The text of the unit. Without it the machine has the unit already.",
    constraints: [{ length: { min: 1, max: UNIT_CHARS_MAX } }],
    updateAllowed: true,
  },
  state: {
    type: "string",
    description: "Whether it runs.",
    default: RUNNING,
    constraints: [{ allowedValues: [RUNNING, "stopped"] }],
    updateAllowed: true,
  },
  enabled: {
    type: "boolean",
    description: "Whether it starts with the machine.",
    default: true,
    updateAllowed: true,
  },
};

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

const unitName = (given: JsonObject): string => {
  const name = textOf(given["name"]);
  return SUFFIX.test(name) ? name : `${name}.service`;
};

const wantedService = (given: JsonObject): WantedService => ({
  name: unitName(given),
  unit: textOf(given["unit"]) || null,
  runs: given["state"] !== "stopped",
  isEnabled: given["enabled"] !== false,
});

export const machineService = (engine: Ports): ResourceType =>
  agentWork(engine, {
    type: "Hearth::Machine::Service",
    description: "A unit of systemd on a machine. A delete brings back the state before.",
    properties,
    attributes: { name: { description: "The name of the unit.", type: "string" } },
    problemOf: (given) => (textOf(given["unit"]).includes("\0") ? "unit: it has a NUL" : null),
    script: (given) => serviceScript(wantedService(given)),
    attributesOf: (given) => ({ name: unitName(given) }),
  });

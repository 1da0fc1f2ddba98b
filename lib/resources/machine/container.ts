import {
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonObject,
  magnitudeOf,
  numberText,
} from "#lib/json.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { isCollection, isJsonArray, member } from "#lib/template/json-shape.ts";
import { firstProblem, textOf } from "../given-values.ts";
import { agentWork } from "./agent-work.ts";
import {
  containerScript,
  isLineOfFile,
  type WantedContainer,
  type WantedPort,
  type WantedVolume,
} from "./container-script.ts";

const PORT_MAX = 65_535;
const COMMAND_WORDS_MAX = 200;
const LIST_ITEMS_MAX = 100;
/** Linux limits each variable to 128 KiB, and a character may need four bytes. */
const VALUE_CHARS_MAX = 32_768;
const NAME = "[A-Za-z0-9][A-Za-z0-9_.-]{0,127}";
/** The first character prevents that an image is taken for an option of the engine's command. */
const IMAGE = "[A-Za-z0-9][A-Za-z0-9._/:@-]{0,400}";
/** A comma would end this part of the option `--mount`. */
const PATH = "/[^,\\n\\x00]{0,1000}";
const ADDRESS = "[0-9A-Fa-f.:]{2,45}";
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_.-]{0,200}$/;
/** With one of these modes a container cannot join another network. */
const ALONE = ["host", "none"];

const PORT: PropertySchemas = {
  port: {
    type: "integer",
    description: "The port in the container.",
    required: true,
    constraints: [{ range: { min: 1, max: PORT_MAX } }],
  },
  host_port: {
    type: "integer",
    description: "The port of the machine. The same one if it is not given.",
    constraints: [{ range: { min: 1, max: PORT_MAX } }],
  },
  host_address: {
    type: "string",
    description: "The address of the machine. All of them if it is not given.",
    constraints: [{ allowedPattern: ADDRESS }],
  },
  protocol: {
    type: "string",
    description: "The protocol of the port.",
    default: "tcp",
    constraints: [{ allowedValues: ["tcp", "udp"] }],
  },
};

const VOLUME: PropertySchemas = {
  source: {
    type: "string",
    description: "A path on the machine, or the name of a volume, which is made if it is missing.",
    required: true,
    constraints: [{ allowedPattern: `(${PATH}|${NAME})` }],
  },
  path: {
    type: "string",
    description: "Where it is in the container.",
    required: true,
    constraints: [{ allowedPattern: PATH }],
  },
  read_only: {
    type: "boolean",
    description: "Whether the container cannot change it.",
    default: false,
  },
};

/** A new name needs a replacement. After any other change the container is made anew in place. */
const containerProperties: PropertySchemas = {
  name: {
    type: "string",
    description: "The name of the container.",
    required: true,
    constraints: [{ allowedPattern: NAME }],
  },
  image: {
    type: "string",
    description: "The image. It is pulled if the machine does not have it.",
    required: true,
    constraints: [{ allowedPattern: IMAGE }],
    updateAllowed: true,
  },
  command: {
    type: "list",
    description: "The words of the command. Those of the image if there are none.",
    default: [],
    constraints: [{ length: { max: COMMAND_WORDS_MAX } }],
    items: { type: "string" },
    updateAllowed: true,
  },
  environment: {
    type: "map",
    description: "Variables of the command. The values may be secrets.",
    default: {},
    constraints: [{ length: { max: LIST_ITEMS_MAX } }],
    updateAllowed: true,
  },
  ports: {
    type: "list",
    description: "The ports that the machine passes on.",
    default: [],
    constraints: [{ length: { max: LIST_ITEMS_MAX } }],
    items: { type: "map", schema: PORT },
    updateAllowed: true,
  },
  volumes: {
    type: "list",
    description: "Folders and volumes of the machine.",
    default: [],
    constraints: [{ length: { max: LIST_ITEMS_MAX } }],
    items: { type: "map", schema: VOLUME },
    updateAllowed: true,
  },
  networks: {
    type: "list",
    description: "Networks of the machine's engine. `host` and `none` stand alone.",
    default: [],
    constraints: [{ length: { max: LIST_ITEMS_MAX } }],
    items: { type: "string", constraints: [{ allowedPattern: NAME }] },
    updateAllowed: true,
  },
  restart: {
    type: "string",
    description: "When the engine starts a container again that has ended.",
    default: "always",
    constraints: [{ allowedValues: ["no", "on-failure", "always", "unless-stopped"] }],
    updateAllowed: true,
  },
};

const variableOf = (value: Json): string => {
  if (typeof value === "string") return value;
  if (value === null || isCollection(value)) return "";
  return typeof value === "boolean" ? String(value) : numberText(value);
};

/**
 * The text never contains the value, which may be secret.
 * @returns null when the variable is valid.
 */
const problemOfVariable = ([name, value]: readonly [string, Json]): Problem => {
  if (!VARIABLE.test(name)) return `environment: ${name} cannot be the name of a variable`;
  if (value !== null && isCollection(value)) return `environment: ${name} must be a text`;
  const text = variableOf(value);
  if (text.length > VALUE_CHARS_MAX) {
    return `environment: ${name} has more than ${VALUE_CHARS_MAX} characters`;
  }
  if (text.includes("\0")) return `environment: ${name} has a NUL`;
  return isLineOfFile(name) && /[\r\n]/.test(text)
    ? `environment: ${name} can have only one line`
    : null;
};

export const problemOfContainer = (given: JsonObject): Problem => {
  const list = (key: string): readonly Json[] => {
    const value = member(given, key) ?? null;
    return isJsonArray(value) ? value : [];
  };
  const alone = list("networks").find((one) => typeof one === "string" && ALONE.includes(one));
  if (alone !== undefined && list("networks").length > 1) {
    return `networks: ${alone} stands alone`;
  }
  if (alone !== undefined && list("ports").length > 0) {
    return `ports: the network ${alone} passes no ports on`;
  }
  const environment = member(given, "environment") ?? null;
  if (!isCollection(environment) || isJsonArray(environment)) return null;
  return firstProblem(Object.entries(environment), problemOfVariable);
};

const itemsOf = (value: Json | undefined): readonly Json[] =>
  value !== undefined && isJsonArray(value) ? value : [];

const mapsOf = (value: Json | undefined): readonly JsonObject[] =>
  itemsOf(value).filter(isJsonObject);

const numberOf = (value: Json | undefined): number | null =>
  isJsonNumber(value) ? Number(magnitudeOf(value)) : null;

const portOf = (given: JsonObject): WantedPort => {
  const port = numberOf(given["port"]) ?? 0;
  return {
    address: textOf(given["host_address"]),
    hostPort: numberOf(given["host_port"]) ?? port,
    port,
    protocol: textOf(given["protocol"]) || "tcp",
  };
};

const volumeOf = (given: JsonObject): WantedVolume => ({
  source: textOf(given["source"]),
  path: textOf(given["path"]),
  isReadOnly: given["read_only"] === true,
});

const environmentOf = (value: Json | undefined): ReadonlyMap<string, string> =>
  new Map(
    isJsonObject(value)
      ? Object.entries(value).map(([name, one]) => [name, variableOf(one)] as const)
      : [],
  );

const wantedContainer = (given: JsonObject): WantedContainer => ({
  name: textOf(given["name"]),
  image: textOf(given["image"]),
  command: itemsOf(given["command"]).map(textOf),
  environment: environmentOf(given["environment"]),
  ports: mapsOf(given["ports"]).map(portOf),
  volumes: mapsOf(given["volumes"]).map(volumeOf),
  networks: itemsOf(given["networks"]).map(textOf),
  restart: textOf(given["restart"]),
});

export const machineContainer = (engine: Ports): ResourceType =>
  agentWork(engine, {
    type: "Hearth::Machine::Container",
    description:
      "A container on a machine, by Podman or Docker. An update makes it anew in its place. A delete removes it with the image and the volumes that it brought.",
    properties: containerProperties,
    attributes: {
      name: { description: "The name of the container.", type: "string" },
      image: { description: "The name of its image.", type: "string" },
    },
    problemOf: problemOfContainer,
    script: (given) => containerScript(wantedContainer(given)),
    attributesOf: (given) => ({ name: textOf(given["name"]), image: textOf(given["image"]) }),
  });

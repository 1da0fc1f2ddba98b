import type { Json, JsonObject } from "#lib/json.ts";
import type { Problem } from "#lib/model/checked-definition.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { agentWork } from "./agent-work.ts";
import { checksumOf, fileScript, type WantedFile } from "./file-script.ts";

/** The content is part of the document that the agent polls. */
const CONTENT_CHARS_MAX = 262_144;
const PATH = "/([^/\\n\\x00]+/)*[^/\\n\\x00]+";
const USER = "[A-Za-z0-9_][A-Za-z0-9._-]{0,31}";

const properties: PropertySchemas = {
  path: {
    type: "string",
    description: "Where the file is, from the root. Missing folders are made.",
    required: true,
    constraints: [{ allowedPattern: PATH }],
  },
  content: {
    type: "string",
    description: "The text of the file.",
    default: "",
    constraints: [{ length: { max: CONTENT_CHARS_MAX } }],
    updateAllowed: true,
  },
  mode: {
    type: "string",
    description: "Its rights in octal digits.",
    default: "0644",
    constraints: [{ allowedPattern: "[0-7]{3,4}" }],
    updateAllowed: true,
  },
  owner: {
    type: "string",
    description: "The user that has it, by name or number.",
    default: "root",
    constraints: [{ allowedPattern: USER }],
    updateAllowed: true,
  },
  group: {
    type: "string",
    description: "The group that has it, by name or number.",
    default: "root",
    constraints: [{ allowedPattern: USER }],
    updateAllowed: true,
  },
  adopt: {
    type: "boolean",
    description: "Whether a file that is there already is taken. A delete brings it back.",
    default: false,
    updateAllowed: true,
  },
};

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

const AROUND: readonly string[] = [".", ".."];

/**
 * A path with `.` or `..` is rejected, so that each file has one path and belongs to one resource.
 * A shell drops NUL characters, so the content cannot have any.
 */
export const problemOfFile = (given: JsonObject): Problem => {
  const around = textOf(given["path"])
    .split("/")
    .find((part) => AROUND.includes(part));
  if (around !== undefined) return `path: ${around} leads around`;
  return textOf(given["content"]).includes("\0") ? "content: it has a NUL" : null;
};

const wantedFile = (given: JsonObject): WantedFile => ({
  path: textOf(given["path"]),
  content: textOf(given["content"]),
  mode: textOf(given["mode"]).replace(/^0+(?=\d)/, ""),
  owner: textOf(given["owner"]),
  group: textOf(given["group"]),
  adopts: given["adopt"] === true,
});

export const machineFile = (engine: Ports): ResourceType =>
  agentWork(engine, {
    type: "Hearth::Machine::File",
    description: "A file on a machine. A delete brings back what was there before.",
    properties,
    attributes: {
      path: { description: "Where the file is.", type: "string" },
      checksum: { description: "The SHA-256 of its content, in hex.", type: "string" },
    },
    problemOf: problemOfFile,
    script: (given) => fileScript(wantedFile(given)),
    attributesOf: (given) => {
      const file = wantedFile(given);
      return { path: file.path, checksum: checksumOf(file) };
    },
  });

import { isJsonNumber, isJsonObject, type Json, type JsonObject, magnitudeOf } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { isJsonArray } from "#lib/template/json-shape.ts";
import { agentWork } from "./agent-work.ts";
import { containerProperties, problemOfContainer, variableOf } from "./container-properties.ts";
import {
  containerScript,
  type WantedContainer,
  type WantedPort,
  type WantedVolume,
} from "./container-script.ts";

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

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

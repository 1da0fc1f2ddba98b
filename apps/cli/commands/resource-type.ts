import type { Command } from "commander";
import { type TypeAnswer, type TypeProperty, TypeShape, TypesShape } from "#client/wire.ts";
import { type Declaration, declare, NO_OPTIONS, onHost } from "../declaration.ts";
import {
  fieldLines,
  oneLine,
  SECTION_INDENT,
  section,
  tableLines,
  terminalWidth,
  valueText,
} from "../print.ts";

export const addResourceTypeCommands = (program: Command): void =>
  declare(program.command("resource-type"), list, show);

const list: Declaration = {
  usage: "list [pattern]",
  summary: "the resource types; a pattern is the start of a name, and .* stands for any text",
  action: onHost(NO_OPTIONS, async (session, _options, pattern?: string) => {
    const query = pattern === undefined ? "" : `?name=${encodeURIComponent(pattern)}`;
    const answer = await session.client.request("GET", `/resource_types${query}`, TypesShape);
    session.print(answer, () => answer.resource_types.map(oneLine));
  }),
};

const show: Declaration = {
  usage: "show <type>",
  summary: "the properties and attributes of a resource type",
  action: onHost(NO_OPTIONS, async (session, _options, name: string) => {
    const path = `/resource_types/${encodeURIComponent(name)}?with_description=true`;
    const answer = await session.client.request("GET", path, TypeShape);
    session.print(answer, () => typeLines(answer));
  }),
};

const needText = ({ required, default: value }: TypeProperty): string => {
  if (required) return "(required)";
  return value === undefined ? "" : valueText(value);
};

const typeLines = (answer: TypeAnswer): readonly string[] => {
  const { status, version, message } = answer.support_status;
  const properties = Object.entries(answer.properties).map(([name, property]) => [
    name,
    property.type,
    needText(property),
    property.update_allowed ? "in place" : "replaces",
    property.description,
  ]);
  const attributes = Object.entries(answer.attributes).map(([name, { description }]) => [
    name,
    description,
  ]);
  const headers = ["NAME", "TYPE", "DEFAULT", "A CHANGE", "DESCRIPTION"];
  const width = terminalWidth() - SECTION_INDENT;
  return [
    ...fieldLines([
      ["type", answer.resource_type],
      ["description", answer.description],
      ["support", [status, version && `since ${version}`, message].filter(Boolean).join(", ")],
    ]),
    ...section("properties", properties.length === 0 ? [] : tableLines(headers, properties, width)),
    ...section("attributes", tableLines(["NAME", "DESCRIPTION"], attributes, width)),
  ];
};

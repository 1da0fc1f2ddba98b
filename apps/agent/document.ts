/**
 * The metadata document, whose `deployments` this server must run. Unusable entries are left out
 * and counted, so one bad entry does not stop the others.
 */
import { type Fields, isFields, jsonText, listOf, parseFields, textOf } from "./json.ts";

/** Ids become file names, so an id must not be able to leave the folder. */
const ID_PATTERN = /^[0-9A-Za-z_-]{1,128}$/;
const OUTPUT_NAME_PATTERN = /^[^/\0]+$/;

export interface Deployment {
  readonly id: string;
  readonly name: string;
  readonly group: string;
  readonly config: unknown;
  readonly inputs: ReadonlyMap<string, string>;
  readonly outputs: readonly string[];
  readonly entry: Fields;
}

export interface MetadataDocument {
  readonly metadataUrl: string | null;
  readonly deployments: readonly Deployment[];
  readonly unusable: number;
}

export type Choice =
  | { readonly kind: "script"; readonly script: string }
  | { readonly kind: "hook"; readonly tool: string; readonly config: unknown }
  | { readonly kind: "skip" }
  | { readonly kind: "refuse"; readonly reason: string };

export const readDocument = (text: string): MetadataDocument | null => {
  const document = parseFields(text);
  if (document === null) return null;
  const entries = listOf(document, "deployments");
  const deployments = entries.map(readDeployment).filter((entry) => entry !== null);
  return {
    metadataUrl: metadataUrl(document),
    deployments,
    unusable: entries.length - deployments.length,
  };
};

export const chooseConfig = ({ config, group, inputs }: Deployment): Choice => {
  if (group !== "component") return choice(group, config);
  if (!isFields(config)) return { kind: "refuse", reason: "the component has no configs" };
  const action = inputs.get("deploy_action") ?? "";
  const chosen = listOf(config, "configs")
    .filter(isFields)
    .find((entry) => listOf(entry, "actions").includes(action));
  return chosen === undefined
    ? { kind: "skip" }
    : choice(textOf(chosen, "tool"), chosen["config"] ?? "");
};

const choice = (tool: string, config: unknown): Choice => {
  if (tool !== "script") return { kind: "hook", tool, config };
  if (typeof config !== "string") return { kind: "refuse", reason: "the script is not text" };
  return { kind: "script", script: config };
};

const metadataUrl = (document: Fields): string | null => {
  const section = document["os-collect-config"];
  const request = isFields(section) ? section["request"] : undefined;
  const url = isFields(request) ? textOf(request, "metadata_url") : "";
  return /^https?:/.test(url) && URL.canParse(url) ? url : null;
};

const readDeployment = (entry: unknown): Deployment | null => {
  if (!isFields(entry)) return null;
  const id = textOf(entry, "id");
  if (!ID_PATTERN.test(id)) return null;
  const inputs = listOf(entry, "inputs")
    .filter(isFields)
    .filter((input) => textOf(input, "name") !== "")
    .map((input) => [textOf(input, "name"), environmentText(input["value"])] as const);
  return {
    id,
    name: textOf(entry, "name"),
    group: textOf(entry, "group", "Heat::Ungrouped"),
    config: entry["config"],
    inputs: new Map(inputs),
    outputs: listOf(entry, "outputs")
      .filter(isFields)
      .map((output) => textOf(output, "name"))
      .filter((name) => OUTPUT_NAME_PATTERN.test(name)),
    entry,
  };
};

/**
 * Lists and maps become JSON text, as with the stock script hook. Null becomes an empty text; the
 * stock hook would make it `None`.
 */
const environmentText = (value: unknown): string => {
  if (typeof value === "string") return value;
  return value === null || value === undefined ? "" : jsonText(value);
};

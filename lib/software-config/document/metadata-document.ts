/**
 * The document that a server's agent polls. Each request renders it from the deployment records, so
 * a changed deployment writes only its own record and no update can be lost. The same records must
 * give the same document; otherwise stock agents would run everything again at each poll.
 */
import {
  isJsonNumber,
  isJsonObject,
  type Json,
  type JsonObject,
  mergedMaps,
  numberText,
} from "#lib/json.ts";
import type { ConfigContent, ConfigInput, DeploymentRecord } from "#lib/model/software-config.ts";
import { compareTexts } from "#lib/python/show-text.ts";
import { isoTime } from "#lib/texts.ts";
import { COMPONENT_GROUP, componentEntryFor } from "../configs/derive-config.ts";

export interface PublishedDeployment {
  readonly record: Pick<
    DeploymentRecord,
    "id" | "derivedConfigId" | "resourceName" | "action" | "createdAt"
  >;
  readonly content: ConfigContent;
}

export interface ServerView {
  readonly metadataUrl: string;
  readonly metadata: JsonObject;
}

const SCRIPT_TOOL = "script";

/** The hook that the agent runs: the group, or in a component the tool of the action's entry. */
export const toolOf = ({
  content,
  record,
}: {
  readonly content: ConfigContent;
  readonly record: Pick<DeploymentRecord, "action">;
}): string | null => {
  if (content.group !== COMPONENT_GROUP) return content.group;
  const tool = componentEntryFor(content.config, record.action)?.["tool"];
  return typeof tool === "string" ? tool : null;
};

/** The stock script hook fails on a number and turns null into the word None. */
const environmentValue = (value: Json): Json => {
  if (value === null) return "";
  if (isJsonNumber(value)) return numberText(value);
  return typeof value === "boolean" ? String(value) : value;
};

const renderInput = (input: ConfigInput, isScript: boolean): JsonObject => {
  const value = input.value ?? null;
  return { ...input, value: isScript ? environmentValue(value) : value };
};

const renderDeployment = (deployment: PublishedDeployment): JsonObject => {
  const { record, content } = deployment;
  const isScript = toolOf(deployment) === SCRIPT_TOOL;
  return {
    id: record.derivedConfigId,
    name: content.name,
    group: content.group,
    creation_time: isoTime(record.createdAt),
    config: content.config,
    inputs: content.inputs.map((input) => renderInput(input, isScript)),
    outputs: content.outputs.map((output) => ({ ...output })),
    options: content.options,
  };
};

type Placed = Pick<DeploymentRecord, "id" | "name" | "resourceName" | "createdAt">;

/** Agents run in list order: by name, then by age. Resource name and id only break ties. */
export const compareInDocument = (left: Placed, right: Placed): number =>
  compareTexts(left.name, right.name) ||
  left.createdAt - right.createdAt ||
  compareTexts(left.resourceName, right.resourceName) ||
  compareTexts(left.id, right.id);

const placeOf = ({ record, content }: PublishedDeployment): Placed => ({
  ...record,
  name: content.name,
});

const inOrder = (left: PublishedDeployment, right: PublishedDeployment): number =>
  compareInDocument(placeOf(left), placeOf(right));

export const renderDeployments = (
  deployments: readonly PublishedDeployment[],
): readonly JsonObject[] => [...deployments].sort(inOrder).map(renderDeployment);

/**
 * The section from which an agent writes its own configuration. Without the URL the agent would
 * stop polling for good. Heat also lists the collector `local`. Hearth omits it, because in the
 * locale C.UTF-8 it ends the whole stock agent.
 */
export const osCollectConfig = (metadataUrl: string): JsonObject => ({
  collectors: ["request"],
  request: { metadata_url: metadataUrl },
});

export const renderMetadataDocument = (
  server: ServerView,
  deployments: readonly PublishedDeployment[],
): JsonObject => {
  const own = server.metadata["os-collect-config"];
  const ownSection = isJsonObject(own) ? own : {};
  return mergedMaps(server.metadata, {
    "os-collect-config": mergedMaps(ownSection, osCollectConfig(server.metadataUrl)),
    deployments: renderDeployments(deployments),
  });
};

import type { Call, MarkedObject } from "#provider/provider.ts";

/** The labels of every object. `docker ps --filter label=hearth.stack=ID` lists a stack's. */
export const LABELS = {
  tenant: "hearth.tenant",
  stack: "hearth.stack",
  stackName: "hearth.stack_name",
  resource: "hearth.resource",
  token: "hearth.token",
  kind: "hearth.kind",
  id: "hearth.id",
  name: "hearth.name",
} as const;

export const METADATA_PREFIX = "hearth.metadata.";

export type Kind = "server" | "key" | "net" | "subnet" | "port" | "volume" | "address" | "handover";

export type Labels = Readonly<Record<string, string>>;

export const labelsFor = (call: Call, kind: Kind, id: string, name: string): Labels => ({
  ...labelsOfResource(call),
  [LABELS.stackName]: call.stackName,
  [LABELS.token]: call.token,
  [LABELS.kind]: kind,
  [LABELS.id]: id,
  [LABELS.name]: name,
});

export const labelsOfResource = ({
  tenant,
  stackId,
  resourceName,
}: Pick<Call, "tenant" | "stackId" | "resourceName">): Labels => ({
  [LABELS.tenant]: tenant,
  [LABELS.stack]: stackId,
  [LABELS.resource]: resourceName,
});

export const markOf = (labels: Labels): MarkedObject => ({
  physicalId: labels[LABELS.id] ?? "",
  stackId: labels[LABELS.stack] ?? "",
  stackName: labels[LABELS.stackName] ?? "",
  resourceName: labels[LABELS.resource] ?? "",
});

export const labelsOfId = (tenant: string, kind: Kind, id: string): Labels => ({
  [LABELS.tenant]: tenant,
  [LABELS.kind]: kind,
  [LABELS.id]: id,
});

export const isOf = (labels: Labels, { token }: Pick<Call, "token">): boolean =>
  labels[LABELS.token] === token;

/** An `external_id` or an adoption can name any id. Other projects' objects are out of reach. */
export const isOfProject = (labels: Labels, { tenant }: Pick<Call, "tenant">): boolean =>
  labels[LABELS.tenant] === tenant;

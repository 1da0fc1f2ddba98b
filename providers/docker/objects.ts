/** What every object that Hearth makes in an engine has: labels. */
import type { Call, MarkedObject } from "#provider/provider.ts";

/** `docker ps --filter label=hearth.stack=ID` finds what belongs to a stack. */
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

/** Of the labels that hold a server's metadata. */
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

/** Those of all versions of a resource. */
export const labelsOfResource = ({
  tenant,
  stackId,
  resourceName,
}: Pick<Call, "tenant" | "stackId" | "resourceName">): Labels => ({
  [LABELS.tenant]: tenant,
  [LABELS.stack]: stackId,
  [LABELS.resource]: resourceName,
});

/** What the labels say of whose an object is. */
export const markOf = (labels: Labels): MarkedObject => ({
  physicalId: labels[LABELS.id] ?? "",
  stackId: labels[LABELS.stack] ?? "",
  stackName: labels[LABELS.stackName] ?? "",
  resourceName: labels[LABELS.resource] ?? "",
});

/** Those of one object of a project. */
export const labelsOfId = (tenant: string, kind: Kind, id: string): Labels => ({
  [LABELS.tenant]: tenant,
  [LABELS.kind]: kind,
  [LABELS.id]: id,
});

export const isOf = (labels: Labels, { token }: Pick<Call, "token">): boolean =>
  labels[LABELS.token] === token;

/** By `external_id` or an adoption a stack can name any id. It reaches its own project's only. */
export const isOfProject = (labels: Labels, { tenant }: Pick<Call, "tenant">): boolean =>
  labels[LABELS.tenant] === tenant;

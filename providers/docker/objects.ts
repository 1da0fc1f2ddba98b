import type { Call, MarkedObject } from "#provider/provider.ts";
import type { At, BackEnd } from "./back-end.ts";

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

/**
 * Records of what the engine has no objects for, such as key pairs: the labels of an empty volume.
 * So the records are where the servers are, and `docker volume ls` shows them. The engine takes a
 * name atomically.
 */
const nameFor = (kind: Kind, key: string): string => `hearth-${kind}-${key}`;

/** Returns the labels of the record that has the key now, which an earlier call may have made. */
export const takeRecord = async (
  { volumes }: BackEnd,
  kind: Kind,
  key: string,
  labels: Labels,
): Promise<Labels> => (await volumes.create(nameFor(kind, key), labels)).Labels;

export const readRecord = async (
  { volumes }: BackEnd,
  kind: Kind,
  key: string,
): Promise<Labels | null> => (await volumes.inspect(nameFor(kind, key)))?.Labels ?? null;

/** For a key that includes the project. Returns false while a container uses the volume. */
export const dropRecord = ({ volumes }: BackEnd, kind: Kind, key: string): Promise<boolean> =>
  volumes.remove(nameFor(kind, key));

/** Returns false while a container uses the volume. Another project's record is left alone. */
export const dropOwnRecord = async (at: At, kind: Kind, id: string): Promise<boolean> => {
  const found = await readRecord(at, kind, id);
  return found === null || !isOfProject(found, at.call) || dropRecord(at, kind, id);
};

export const recordOfId = async (
  { volumes, call }: At,
  kind: Kind,
  id: string,
): Promise<{ readonly name: string; readonly labels: Labels } | null> => {
  const [found] = await volumes.list(labelsOfId(call.tenant, kind, id));
  return found === undefined ? null : { name: found.Name, labels: found.Labels };
};

/** What labels say about all objects of a kind, for the contract kit and for the operator. */
export const listsOf = (kind: Kind, find: (wanted: Labels) => Promise<readonly Labels[]>) => ({
  list: async () => (await find({ [LABELS.kind]: kind })).map((labels) => labels[LABELS.id] ?? ""),
  marked: async (tenant: string): Promise<readonly MarkedObject[]> =>
    (await find({ [LABELS.kind]: kind, [LABELS.tenant]: tenant })).map(markOf),
});

export const listsOfRecords = (backEnd: BackEnd, kind: Kind) =>
  listsOf(kind, (wanted) => recordsOf(backEnd, kind, wanted));

export const recordsOf = async (
  { volumes }: BackEnd,
  kind: Kind,
  wanted: Labels,
): Promise<readonly Labels[]> => {
  const found = await volumes.list({ [LABELS.kind]: kind, ...wanted });
  return found.map(({ Labels: labels }) => labels);
};

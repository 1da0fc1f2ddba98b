/**
 * What the engine has no objects for, such as a key pair, as the labels of a volume without data.
 * So it is where the servers are, and `docker volume ls` shows it. A name is taken atomically.
 */

import type { Call, MarkedObject } from "#provider/provider.ts";
import type { BackEnd } from "../back-end.ts";
import { isOfProject, type Kind, LABELS, type Labels, labelsOfId, markOf } from "../objects.ts";

const nameFor = (kind: Kind, key: string): string => `hearth-${kind}-${key}`;

/** The labels of the record that has the key now: these, or those of an earlier call. */
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

/** For a key that is made of the project. False: a container uses it. */
export const dropRecord = ({ volumes }: BackEnd, kind: Kind, key: string): Promise<boolean> =>
  volumes.remove(nameFor(kind, key));

/** False: a container uses it. Another project's stays, as if there were none. */
export const dropOwnRecord = async (
  backEnd: BackEnd,
  call: Pick<Call, "tenant">,
  kind: Kind,
  id: string,
): Promise<boolean> => {
  const found = await readRecord(backEnd, kind, id);
  return found === null || !isOfProject(found, call) || dropRecord(backEnd, kind, id);
};

/** Null: the project has none with the id. */
export const recordOfId = async (
  { volumes }: BackEnd,
  tenant: string,
  kind: Kind,
  id: string,
): Promise<{ readonly name: string; readonly labels: Labels } | null> => {
  const [found] = await volumes.list(labelsOfId(tenant, kind, id));
  return found === undefined ? null : { name: found.Name, labels: found.Labels };
};

/** What has the project's mark among the records of a kind. */
export const markedRecords =
  (backEnd: BackEnd, kind: Kind) =>
  async (tenant: string): Promise<readonly MarkedObject[]> =>
    (await recordsOf(backEnd, kind, { [LABELS.tenant]: tenant })).map(markOf);

export const recordsOf = async (
  { volumes }: BackEnd,
  kind: Kind,
  wanted: Labels,
): Promise<readonly Labels[]> => {
  const found = await volumes.list({ [LABELS.kind]: kind, ...wanted });
  return found.map(({ Labels: labels }) => labels);
};

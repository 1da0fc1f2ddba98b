import type { EC2, Filter, Instance } from "@aws-sdk/client-ec2";
import type { At, Caller } from "../account.ts";
import { allPages, INTERFACES } from "../objects/looks.ts";
import { isOfProject, type ListTagged, TAGS, tagOf, withTag } from "../tags.ts";

/** EC2 shows a terminated instance for an hour. */
const LIVES: Filter = {
  Name: "instance-state-name",
  Values: ["pending", "running", "shutting-down", "stopping", "stopped"],
};

const described = async (
  { ec2, abort }: At<Caller>,
  given: Parameters<EC2["describeInstances"]>[0],
): Promise<readonly Instance[]> => {
  const reservations = await allPages(
    (next) => ec2.describeInstances({ ...given, ...next }, abort),
    ({ Reservations = [] }) => Reservations,
  );
  return reservations.flatMap(({ Instances = [] }) => Instances);
};

export const instanceById = async (at: At<Caller>, id: string): Promise<Instance | null> =>
  (await described(at, { InstanceIds: [id] }))[0] ?? null;

export const instancesWith = (
  at: At<Caller>,
  filters: readonly Filter[],
): Promise<readonly Instance[]> => described(at, { Filters: [...filters, LIVES] });

/** A server whose instance has ended may have left interfaces with its id. */
export const markedServers: ListTagged = async (at, filters) => {
  const instances = await instancesWith(at, filters);
  const interfaces = await INTERFACES.look(at, { filters });
  const all = [...instances.map(({ Tags = [] }) => Tags), ...interfaces.map(({ tags }) => tags)];
  return all.flatMap((tags) => {
    const id = tagOf(tags, TAGS.id);
    return id === null ? [] : [{ id, tags }];
  });
};

const EC2_ID = /^i-[0-9a-f]+$/;

/** `physicalId` is EC2's id if Hearth did not make the instance. */
export const instanceOf = async (at: At<Caller>, physicalId: string): Promise<Instance | null> => {
  const { tenant } = at.call;
  if (EC2_ID.test(physicalId)) {
    const found = await instanceById(at, physicalId);
    return found !== null && isOfProject(found.Tags, tenant) && isAlive(found) ? found : null;
  }
  const filters = [withTag(TAGS.id, physicalId), withTag(TAGS.tenant, tenant)];
  return (await instancesWith(at, filters))[0] ?? null;
};

export const stateOf = ({ State }: Instance): string => State?.Name ?? "";

const isAlive = (instance: Instance): boolean => stateOf(instance) !== "terminated";

export const idOfInstance = ({ InstanceId = "" }: Instance): string => InstanceId;

export const endOf = (instance: Instance): string =>
  instance.StateReason?.Message ?? instance.StateTransitionReason ?? stateOf(instance);

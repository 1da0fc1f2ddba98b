import type { EC2, Filter, Instance } from "@aws-sdk/client-ec2";
import type { ObjectCall } from "#provider/provider.ts";
import type { Ec2Account } from "../account.ts";
import { allPages, INTERFACES } from "../objects/looks.ts";
import { isOfProject, type ListTagged, TAGS, tagOf, withTag } from "../tags.ts";

/** EC2 shows a terminated instance for an hour. */
const LIVES: Filter = {
  Name: "instance-state-name",
  Values: ["pending", "running", "shutting-down", "stopping", "stopped"],
};

const described = async (
  { ec2 }: Ec2Account,
  given: Parameters<EC2["describeInstances"]>[0],
  abortSignal: AbortSignal,
): Promise<readonly Instance[]> => {
  const pages = await allPages((next) =>
    ec2.describeInstances({ ...given, ...next }, { abortSignal }),
  );
  const reservations = pages.flatMap(({ Reservations = [] }) => Reservations);
  return reservations.flatMap(({ Instances = [] }) => Instances);
};

export const instanceById = async (
  account: Ec2Account,
  id: string,
  signal: AbortSignal,
): Promise<Instance | null> => (await described(account, { InstanceIds: [id] }, signal))[0] ?? null;

export const instancesWith = (
  account: Ec2Account,
  filters: readonly Filter[],
  signal: AbortSignal,
): Promise<readonly Instance[]> => described(account, { Filters: [...filters, LIVES] }, signal);

/** A server whose instance has ended may have left interfaces with its id. */
export const markedServers: ListTagged = async (account, filters, signal) => {
  const instances = await instancesWith(account, filters, signal);
  const interfaces = await INTERFACES.look(account, { filters }, signal);
  const all = [...instances.map(({ Tags = [] }) => Tags), ...interfaces.map(({ tags }) => tags)];
  return all.flatMap((tags) => {
    const id = tagOf(tags, TAGS.id);
    return id === null ? [] : [{ id, tags }];
  });
};

const EC2_ID = /^i-[0-9a-f]+$/;

/** `physicalId` is EC2's id if Hearth did not make the instance. */
export const instanceOf = async (
  account: Ec2Account,
  { physicalId, tenant, signal }: Pick<ObjectCall, "physicalId" | "tenant" | "signal">,
): Promise<Instance | null> => {
  if (EC2_ID.test(physicalId)) {
    const found = await instanceById(account, physicalId, signal);
    return found !== null && isOfProject(found.Tags, tenant) && isAlive(found) ? found : null;
  }
  const filters = [withTag(TAGS.id, physicalId), withTag(TAGS.tenant, tenant)];
  return (await instancesWith(account, filters, signal))[0] ?? null;
};

export const stateOf = ({ State }: Instance): string => State?.Name ?? "";

const isAlive = (instance: Instance): boolean => stateOf(instance) !== "terminated";

export const idOfInstance = ({ InstanceId = "" }: Instance): string => InstanceId;

export const endOf = (instance: Instance): string =>
  instance.StateReason?.Message ?? instance.StateTransitionReason ?? stateOf(instance);

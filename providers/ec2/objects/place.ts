/**
 * The common zone of objects whose template names none. An instance can only use volumes of its own
 * zone.
 */
import type { Filter } from "@aws-sdk/client-ec2";
import { Refused } from "#providers/cloud-control/client.ts";
import { type Ec2Account, Impossible } from "../account.ts";
import { TAGS, tagOf } from "../tags.ts";
import { SUBNETS } from "./looks.ts";

/** Throws Refused if the operator names no VPC and the region has no default one. */
export const vpcOf = async (
  { ec2, settings }: Ec2Account,
  signal: AbortSignal,
): Promise<string> => {
  if (settings.vpc !== undefined) return settings.vpc;
  const filters = [{ Name: "is-default", Values: ["true"] }];
  const { Vpcs = [] } = await ec2.describeVpcs({ Filters: filters }, { abortSignal: signal });
  const id = Vpcs[0]?.VpcId;
  if (id === undefined) throw new Refused("NoVpc", "the region has no default VPC; name one");
  return id;
};

export const inVpc = (id: string): Filter => ({ Name: "vpc-id", Values: [id] });

/** The zone of the operator's subnet, or of the VPC's first one, or the region's first zone. */
export const zoneOf = async (account: Ec2Account, signal: AbortSignal): Promise<string> => {
  const { subnet } = account.settings;
  const asked =
    subnet === undefined ? { filters: [inVpc(await vpcOf(account, signal))] } : { ids: [subnet] };
  const subnets = await SUBNETS.look(account, asked, signal);
  const zones = subnets
    .filter(({ tags }) => tagOf(tags, TAGS.operation) === null)
    .map(({ own }) => own.AvailabilityZone ?? "")
    .toSorted();
  const [first = await firstOf(account, signal)] = zones;
  return first;
};

const firstOf = async ({ ec2 }: Ec2Account, abortSignal: AbortSignal): Promise<string> => {
  const { AvailabilityZones = [] } = await ec2.describeAvailabilityZones({}, { abortSignal });
  const zones = AvailabilityZones.filter(({ ZoneType: type }) => (type ?? ZONE) === ZONE);
  const [first] = zones.map(({ ZoneName = "" }) => ZoneName).toSorted();
  if (first === undefined) throw new Impossible("the region has no availability zone");
  return first;
};

/** Excludes local zones, which an account must enable first. */
const ZONE = "availability-zone";

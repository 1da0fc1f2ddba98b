/**
 * Where EC2 makes an object whose template does not say it: in the operator's VPC, and in one zone,
 * since an instance can only use volumes of its own zone.
 */
import type { Filter } from "@aws-sdk/client-ec2";
import { Refused } from "#providers/cloud-control/client.ts";
import { type At, type Caller, Impossible } from "../account.ts";
import { TAGS, tagOf } from "../tags.ts";
import { SUBNETS } from "./looks.ts";

/** Throws Refused if the operator names no VPC and the region has no default one. */
export const vpcOf = async ({ ec2, settings, abort }: At<Caller>): Promise<string> => {
  if (settings.vpc !== undefined) return settings.vpc;
  const filters = [{ Name: "is-default", Values: ["true"] }];
  const { Vpcs = [] } = await ec2.describeVpcs({ Filters: filters }, abort);
  const id = Vpcs[0]?.VpcId;
  if (id === undefined) throw new Refused("NoVpc", "the region has no default VPC; name one");
  return id;
};

export const inVpc = (id: string): Filter => ({ Name: "vpc-id", Values: [id] });

/** The zone of the operator's subnet, or of the VPC's first one, or the region's first zone. */
export const zoneOf = async (at: At<Caller>): Promise<string> => {
  const { subnet } = at.settings;
  const asked = subnet === undefined ? { filters: [inVpc(await vpcOf(at))] } : { ids: [subnet] };
  const subnets = await SUBNETS.look(at, asked);
  const zones = subnets
    .filter(({ tags }) => tagOf(tags, TAGS.operation) === null)
    .map(({ own }) => own.AvailabilityZone ?? "")
    .toSorted();
  const [first = await firstOf(at)] = zones;
  return first;
};

const firstOf = async ({ ec2, abort }: At<Caller>): Promise<string> => {
  const { AvailabilityZones = [] } = await ec2.describeAvailabilityZones({}, abort);
  const zones = AvailabilityZones.filter(({ ZoneType: type }) => (type ?? ZONE) === ZONE);
  const [first] = zones.map(({ ZoneName = "" }) => ZoneName).toSorted();
  if (first === undefined) throw new Impossible("the region has no availability zone");
  return first;
};

/** Excludes local zones, which an account must enable first. */
const ZONE = "availability-zone";

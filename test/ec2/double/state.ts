/**
 * The state of the double: objects with the members that EC2 shows, found by ids or filters. The
 * double does at once what EC2 does eventually.
 */
import * as z from "zod/mini";
import type { Json, JsonObject } from "#provider/provider.ts";
import { Refused } from "#providers/cloud-control/client.ts";

export const KINDS = {
  instance: { prefix: "i", id: "InstanceId", list: "Instances" },
  volume: { prefix: "vol", id: "VolumeId", list: "Volumes" },
  "security-group": { prefix: "sg", id: "GroupId", list: "SecurityGroups" },
  "route-table": { prefix: "rtb", id: "RouteTableId", list: "RouteTables" },
  subnet: { prefix: "subnet", id: "SubnetId", list: "Subnets" },
  "network-interface": { prefix: "eni", id: "NetworkInterfaceId", list: "NetworkInterfaces" },
} as const;
export type Kind = keyof typeof KINDS;

export type Members = Record<string, Json>;

export interface Thing {
  readonly id: string;
  readonly kind: Kind;
  readonly members: Members;
}

export interface Ec2State {
  readonly things: Map<string, Thing>;
  readonly answers: Map<string, JsonObject>;
  made: number;
}

export const VPC = "vpc-1";
export const ZONE = "eu-central-1a";

const members = z.record(z.string(), z.json());
const objects = z.array(members);
const texts = z.array(z.string());

const readOr = <Found>(type: z.ZodMiniType<Found>, value: unknown, otherwise: Found): Found => {
  const read = z.safeParse(type, value);
  return read.success ? read.data : otherwise;
};

export const objectsIn = (given: JsonObject, name: string): readonly JsonObject[] =>
  readOr(objects, given[name], []);
export const textsIn = (given: JsonObject, name: string): readonly string[] =>
  readOr(texts, given[name], []);
export const textIn = (given: JsonObject, name: string): string =>
  readOr(z.string(), given[name], "");
export const objectIn = (given: JsonObject, name: string): JsonObject =>
  readOr(members, given[name], {});

/** EC2 has another name for the tags of interfaces. */
export const tagsName = (kind: Kind): string => (kind === "network-interface" ? "TagSet" : "Tags");

const ID_CHARS = 8;

export const add = (state: Ec2State, kind: Kind, given: JsonObject, own: JsonObject): Thing => {
  state.made += 1;
  const { prefix, id: idName } = KINDS[kind];
  const id = `${prefix}-${state.made.toString(16).padStart(ID_CHARS, "0")}`;
  const tagged = objectsIn(given, "TagSpecifications").find((one) => one["ResourceType"] === kind);
  const tags = tagged === undefined ? [] : objectsIn(tagged, "Tags");
  const thing = { id, kind, members: { [idName]: id, [tagsName(kind)]: tags, ...own } };
  state.things.set(id, thing);
  return thing;
};

export const ofKind = ({ things }: Ec2State, kind: Kind): readonly Thing[] =>
  [...things.values()].filter((one) => one.kind === kind);

export const known = ({ things }: Ec2State, id: string): Thing => {
  const thing = things.get(id);
  if (thing === undefined) throw new Refused("InvalidID.NotFound", `${id} does not exist`);
  return thing;
};

export const instanceOfInterface = ({ members: shown }: Thing): string =>
  textIn(objectIn(shown, "Attachment"), "InstanceId");

const valuesOf = ({ kind, members: shown }: Thing, filter: string): readonly string[] => {
  if (filter.startsWith("tag:")) {
    const tags = objectsIn(shown, tagsName(kind));
    return tags.filter(({ Key }) => Key === filter.slice(4)).map((tag) => textIn(tag, "Value"));
  }
  switch (filter) {
    case "vpc-id":
      return [textIn(shown, "VpcId")];
    case "group-name":
      return [textIn(shown, "GroupName")];
    case "instance-state-name":
      return [textIn(objectIn(shown, "State"), "Name")];
    case "association.subnet-id":
      return objectsIn(shown, "Associations").map((one) => textIn(one, "SubnetId"));
    default:
      throw new Refused("InvalidParameterValue", `the double has no filter ${filter}`);
  }
};

export const described = (
  state: Ec2State,
  kind: Kind,
  given: JsonObject,
): readonly JsonObject[] => {
  const ids = textsIn(given, `${KINDS[kind].id}s`);
  const asked = ids.length === 0 ? ofKind(state, kind) : ids.map((id) => known(state, id));
  const filters = objectsIn(given, "Filters");
  const found = asked.filter((thing) =>
    filters.every((filter) =>
      valuesOf(thing, textIn(filter, "Name")).some((one) =>
        textsIn(filter, "Values").includes(one),
      ),
    ),
  );
  return found.map((thing) => shownBy(state, thing));
};

const shownBy = (state: Ec2State, { id, kind, members: shown }: Thing): JsonObject => {
  if (kind !== "instance") return shown;
  const own = ofKind(state, "network-interface").filter((one) => instanceOfInterface(one) === id);
  return { ...shown, NetworkInterfaces: own.map((one) => one.members) };
};

export const retag = (state: Ec2State, given: JsonObject, isKept: boolean): void => {
  const tags = objectsIn(given, "Tags");
  for (const id of textsIn(given, "Resources")) {
    const { kind, members: shown } = known(state, id);
    const others = objectsIn(shown, tagsName(kind)).filter(({ Key }) =>
      tags.every((tag) => tag["Key"] !== Key),
    );
    shown[tagsName(kind)] = isKept ? [...others, ...tags] : others;
  }
};

export const freshState = (): Ec2State => {
  const state: Ec2State = { things: new Map(), answers: new Map(), made: 0 };
  add(state, "security-group", {}, { GroupName: "default", VpcId: VPC });
  return state;
};

export const pick = (given: JsonObject, ...names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.flatMap((name): [string, Json][] => {
      const value = given[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

import type { _InstanceType, Instance, RunInstancesCommandInput } from "@aws-sdk/client-ec2";
import type { Call, ObjectCall } from "#provider/provider.ts";
import { type BootData, bootDataOf } from "#providers/boot-data.ts";
import { FLAVOR, IMAGE } from "#providers/cloud-control/account/roles.ts";
import { nameOf } from "#providers/object-names.ts";
import { mayDiffer } from "#providers/server-provider.ts";
import { textOf } from "#providers/values.ts";
import { type At, type Ec2Account, Impossible } from "../account.ts";
import { missing } from "../objects/looks.ts";
import { isOfProject, TAGS, tagged, tagsFor, userTags } from "../tags.ts";
import { idOfInstance, stateOf } from "./instances.ts";
import { keyOf } from "./key-pair.ts";
import { imageNameOf, newDisksOf } from "./server-disks.ts";
import { interfacesOf } from "./server-networks.ts";
import { USER_DATA_BYTES_MAX } from "./server-refusals.ts";

export interface Boot extends BootData {
  readonly stack: string;
  readonly server: string;
}

/** Returns user data for cloud-init, compressed if it is too large. */
export type BootUserData = (boot: Boot) => Promise<Uint8Array>;

export type Wanted = Omit<RunInstancesCommandInput, "ClientToken">;

const bootOf = ({ properties, stackName, resourceName }: Call): Boot => ({
  ...bootDataOf(properties),
  stack: stackName,
  server: resourceName,
});

const imageOf = ({ settings }: Ec2Account, name: string): string | null =>
  settings.images[name] ?? (IMAGE.test(name) ? name : null);

/** AWS adds instance types more often than its client is updated. */
const isInstanceType = (name: string): name is _InstanceType => FLAVOR.test(name);

export const flavorOf = ({ settings }: Ec2Account, name: string): _InstanceType | null => {
  const type = settings.flavors[name] ?? name;
  return isInstanceType(type) ? type : null;
};

/** EC2 says itself if there is none of this name. */
const isOfOther = async (at: At, key: string) =>
  !isOfProject((await keyOf(at, key))?.Tags, at.call.tenant);

/** Throws Impossible. */
export const planServer = async (
  at: At,
  id: string,
  bootUserData: BootUserData,
): Promise<Wanted> => {
  const { properties } = at.call;
  const [flavor, key, zone] = ["flavor", "key_name", "availability_zone"].map((name) =>
    textOf(properties[name]),
  );
  const image = imageNameOf(properties);
  const imageId = imageOf(at, image);
  const type = flavorOf(at, flavor ?? "");
  if (imageId === null) throw missing("Image", image);
  if (type === null) throw missing("Flavor", flavor ?? "");
  if (key && (await isOfOther(at, key))) throw missing("Key", key);
  const interfaces = await interfacesOf(at);
  const userData = await bootUserData(bootOf(at.call));
  if (userData.byteLength > USER_DATA_BYTES_MAX) {
    throw new Impossible(
      `user_data has ${userData.byteLength} bytes when packed, and EC2 takes ${USER_DATA_BYTES_MAX}`,
    );
  }
  const disks = await newDisksOf(at, imageId);
  const tags = tagsFor(at.call, nameOf(at.call, id), { ...userTags(properties), [TAGS.id]: id });
  return {
    ImageId: imageId,
    InstanceType: type,
    MinCount: 1,
    MaxCount: 1,
    ...(key ? { KeyName: key } : {}),
    ...(zone ? { Placement: { AvailabilityZone: zone } } : {}),
    ...(userData.byteLength === 0 ? {} : { UserData: Buffer.from(userData).toString("base64") }),
    ...interfaces,
    ...(disks.length === 0 ? {} : { BlockDeviceMappings: disks }),
    TagSpecifications: [...tagged("instance", tags), ...tagged("volume", tags)],
  };
};

/** Changes the type of an instance, which EC2 must stop for that. Each poll takes the next step. */
export const resized = async (at: At<ObjectCall>, instance: Instance): Promise<boolean> => {
  const { ec2, call, abort } = at;
  if (!mayDiffer(call, "flavor")) return true;
  const type = flavorOf(at, textOf(call.properties["flavor"]));
  const [id, state] = [idOfInstance(instance), stateOf(instance)];
  const isOther = type !== null && instance.InstanceType !== type;
  if (state === "running" && isOther) await ec2.stopInstances({ InstanceIds: [id] }, abort);
  if (state === "stopped") {
    if (isOther) {
      await ec2.modifyInstanceAttribute({ InstanceId: id, InstanceType: { Value: type } }, abort);
    }
    await ec2.startInstances({ InstanceIds: [id] }, abort);
  }
  return state === "running" && !isOther;
};

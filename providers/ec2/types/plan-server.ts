import type { _InstanceType, Instance, RunInstancesCommandInput } from "@aws-sdk/client-ec2";
import type { Call, ObjectCall } from "#provider/provider.ts";
import { type BootData, bootDataOf } from "#providers/boot-data.ts";
import { FLAVOR, IMAGE } from "#providers/cloud-control/account/roles.ts";
import { nameOf } from "#providers/object-names.ts";
import { mayDiffer } from "#providers/server-provider.ts";
import { textOf } from "#providers/values.ts";
import type { Ec2Account } from "../account.ts";
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

type Plan = { readonly wanted: Wanted } | string;

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

const missing = (what: string, name: string): string => `The ${what} (${name}) could not be found.`;

/** EC2 says itself if there is none of this name. */
const isOfOther = async (account: Ec2Account, { tenant, signal }: Call, key: string) =>
  !isOfProject((await keyOf(account, key, signal))?.Tags, tenant);

export const planServer = async (
  account: Ec2Account,
  call: Call,
  id: string,
  bootUserData: BootUserData,
): Promise<Plan> => {
  const { properties } = call;
  const [flavor, key, zone] = ["flavor", "key_name", "availability_zone"].map((name) =>
    textOf(properties[name]),
  );
  const image = imageNameOf(properties);
  const imageId = imageOf(account, image);
  const type = flavorOf(account, flavor ?? "");
  if (imageId === null) return missing("Image", image);
  if (type === null) return missing("Flavor", flavor ?? "");
  if (key && (await isOfOther(account, call, key))) return missing("Key", key);
  const interfaces = await interfacesOf(account, call);
  const userData = await bootUserData(bootOf(call));
  if (userData.byteLength > USER_DATA_BYTES_MAX) {
    return `user_data has ${userData.byteLength} bytes when packed, and EC2 takes ${USER_DATA_BYTES_MAX}`;
  }
  const disks = await newDisksOf(account, call, imageId);
  const tags = tagsFor(call, nameOf(call, id), { ...userTags(properties), [TAGS.id]: id });
  const wanted: Wanted = {
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
  return { wanted };
};

/** Changes the type of an instance, which EC2 must stop for that. Each poll takes the next step. */

export const resized = async (
  { ec2, ...account }: Ec2Account,
  call: ObjectCall,
  instance: Instance,
): Promise<boolean> => {
  if (!mayDiffer(call, "flavor")) return true;
  const type = flavorOf({ ec2, ...account }, textOf(call.properties["flavor"]));
  const [id, state] = [idOfInstance(instance), stateOf(instance)];
  const abort = { abortSignal: call.signal };
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

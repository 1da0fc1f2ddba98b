/** Changes the type of an instance, which EC2 must stop for that. Each poll takes the next step. */
import type { Instance } from "@aws-sdk/client-ec2";
import type { ObjectCall } from "#provider/provider.ts";
import { mayDiffer } from "#providers/changed.ts";
import { textOf } from "#providers/values.ts";
import type { Ec2Account } from "../account.ts";
import { idOfInstance, stateOf } from "./instances.ts";
import { flavorOf } from "./plan-server.ts";

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

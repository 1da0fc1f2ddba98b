/** OS::Neutron::FloatingIPAssociation. Its physical id is that of the floating IP. */
import type { Answer, Call, ObjectCall, ProvidedType, WaitingCall } from "#provider/provider.ts";
import { CALL_SECONDS_MAX } from "#provider/read-provider.ts";
import { isChanged } from "#providers/changed.ts";
import { FLOATING_IP_ASSOCIATION_PROPERTIES } from "#providers/network-schemas.ts";
import { textOf } from "#providers/values.ts";
import type { Ec2Account, Ec2Accounts } from "../account.ts";
import { inAccount, looksAgain } from "../asked.ts";
import { ADDRESSES, byId, INTERFACES } from "../objects/looks.ts";
import { reach } from "../objects/reach.ts";
import { isOfProject } from "../tags.ts";
import { associateAddress, disassociateAddress, isAssociated } from "./floating-ip.ts";

const associate = async (account: Ec2Account, call: Call): Promise<Answer> => {
  const { properties, signal } = call;
  const address = await reach(account, ADDRESSES, call, textOf(properties["floatingip_id"]));
  const { id: port } = await reach(account, INTERFACES, call, textOf(properties["port_id"]));
  const wanted = { address, port, fixed: textOf(properties["fixed_ip_address"]) };
  if (isAssociated(wanted)) return { state: "finished", physicalId: address.id };
  await associateAddress(account, wanted, signal);
  return looksAgain(account, address.id, address.id);
};

const update = async (account: Ec2Account, call: ObjectCall): Promise<Answer> =>
  isChanged(call, "floatingip_id") ? { state: "replace" } : associate(account, call);

const there = async (account: Ec2Account, call: ObjectCall) => {
  const { physicalId, properties, previousProperties, signal, tenant } = call;
  const address = await byId(account, ADDRESSES, physicalId, signal);
  if (address === null || !isOfProject(address.tags, tenant)) return null;
  const ports = [properties, previousProperties].map((given) => textOf(given?.["port_id"]));
  const { NetworkInterfaceId: port } = address.own;
  return port && ports.includes(port) ? address : null;
};

/** The address may belong to another port by now, and then this resource must not change it. */
const remove = async (account: Ec2Account, call: ObjectCall): Promise<Answer> => {
  const address = await there(account, call);
  if (address === null) return { state: "finished" };
  await disassociateAddress(account, address, call.signal);
  return looksAgain(account, address.id, address.id);
};

export const floatingIpAssociation = (accounts: Ec2Accounts): ProvidedType => ({
  description: "An Elastic IP address that leads to a port.",
  properties: FLOATING_IP_ASSOCIATION_PROPERTIES,
  tokens: "kept",
  callSecondsMax: CALL_SECONDS_MAX,
  create: inAccount(accounts, associate),
  poll: inAccount(accounts, (account, call: WaitingCall) =>
    call.action === "DELETE" ? remove(account, call) : associate(account, call),
  ),
  cancel: async () => undefined,
  update: inAccount(accounts, update),
  repairable: true,
  delete: inAccount(accounts, remove),
  check: inAccount(
    accounts,
    async (account, call: ObjectCall): Promise<Answer> => ({
      state: (await there(account, call)) === null ? "gone" : "finished",
    }),
  ),
});

import type { JsonObject } from "#provider/provider.ts";
import {
  type Empties,
  type Refuse,
  type RefusedProperty,
  refuseFilled,
  refuseFilledItems,
} from "#providers/server-provider.ts";
import { objectsOf, textOf } from "../../values.ts";
import { refuseOwnMarks } from "../marks.ts";

const SERVER: Empties = {
  block_device_mapping: "use block_device_mapping_v2",
  reservation_id: "a server is made alone",
  personality: "Nova has dropped it; write files with user_data",
  admin_pass: "passwords come back in Nova's answers; use key_name",
  admin_user: "Nova has dropped it; the image has its own account",
};

const OWN_PORT = "make an OS::Neutron::Port and name it as port";

const NETWORK: Empties = {
  floating_ip: "use an OS::Neutron::FloatingIPAssociation",
  port_extra_properties: OWN_PORT,
  subnet: OWN_PORT,
};

const DEVICE: Empties = {
  volume_type: "make an OS::Cinder::Volume of that type and give its volume_id",
};

const POLICIES: readonly (readonly [name: string, value: string, why: string])[] = [
  ["image_update_policy", "REBUILD_PRESERVE_EPHEMERAL", "only bare metal keeps its disk"],
  ["user_data_update_policy", "REBUILD", "Nova rebuilds with the former user data"],
  ["software_config_transport", "POLL_TEMP_URL", "agents poll Hearth; use POLL_SERVER_CFN"],
  ["software_config_transport", "ZAQAR_MESSAGE", "agents poll Hearth; use POLL_SERVER_CFN"],
];

const refusePolicies = (properties: JsonObject): RefusedProperty | null => {
  const found = POLICIES.find(([name, value]) => textOf(properties[name]) === value);
  return found === undefined ? null : { property: found[0], why: found[2] };
};

/** Nova accepts such a word only in place of all networks. */
const refuseWords = (properties: JsonObject): RefusedProperty | null => {
  const networks = objectsOf(properties["networks"]);
  const at = networks.findIndex((one) => textOf(one["allocate_network"]) !== "");
  return at >= 0 && networks.length > 1
    ? { property: `networks[${at}].allocate_network`, why: "no other network may be beside it" }
    : null;
};

export const refuseServer: Refuse = (properties) =>
  refuseFilled(properties, SERVER) ??
  refuseFilledItems(properties, "networks", NETWORK) ??
  refuseFilledItems(properties, "block_device_mapping_v2", DEVICE) ??
  refuseOwnMarks(properties) ??
  refusePolicies(properties) ??
  refuseWords(properties);

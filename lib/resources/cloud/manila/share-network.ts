import type { JsonObject } from "#lib/json.ts";
import type { Refusal } from "#lib/model/checked-definition.ts";
import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { isSet, needs } from "#lib/resources/cloud/refusals.ts";

const validate = (given: JsonObject): Refusal | null => {
  if (isSet(given, "nova_network")) return "Nova network is no longer supported";
  return isSet(given, "neutron_network") && !isSet(given, "neutron_subnet")
    ? needs("neutron_network", "neutron_subnet")
    : null;
};

export const manilaShareNetwork: DeclaredType = {
  type: "OS::Manila::ShareNetwork",
  schema: {
    description: "The network and security services that Manila connects share servers to.",
    support: { since: "5.0.0" },
    templateName: "ManilaShareNetwork",
    properties: {
      name: {
        type: "string",
        description: "The name of the Manila share network.",
        updateAllowed: true,
      },
      neutron_network: {
        type: "string",
        description: "The Neutron network to use, by name or ID.",
        updateAllowed: true,
        constraints: [{ custom: "neutron.network" }],
      },
      neutron_subnet: {
        type: "string",
        description: "The Neutron subnet to use, by name or ID.",
        updateAllowed: true,
        constraints: [{ custom: "neutron.subnet" }],
      },
      nova_network: {
        type: "string",
        description: "The ID of a nova-network network. Use neutron_network instead.",
        updateAllowed: true,
        support: {
          status: "HIDDEN",
          since: "21.0.0",
          message: "nova-network is no longer supported.",
        },
      },
      description: {
        type: "string",
        description: "A description of the share network.",
        updateAllowed: true,
      },
      security_services: {
        type: "list",
        description: "The security services of the share network, by name or ID.",
        default: [],
        updateAllowed: true,
        items: { type: "string" },
      },
    },
    attributes: {
      segmentation_id: { description: "The VLAN or tunnel ID of the network.", type: "string" },
      cidr: { description: "The address range of the subnet, in CIDR notation.", type: "string" },
      ip_version: { description: "The IP version of the subnet.", type: "string" },
      network_type: {
        description: "How the network is built, such as VLAN or VXLAN.",
        type: "string",
      },
    },
    validate,
  },
};

import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { blockDeviceMapping, blockDeviceMappingV2 } from "./server-block-devices.ts";
import { mustReplaceServer, refuseServer } from "./server-checks.ts";
import { networks } from "./server-networks.ts";

export const novaServer: DeclaredType = {
  type: "OS::Nova::Server",
  schema: {
    description: "A virtual or bare metal machine that Nova runs from an image or a volume.",
    properties: {
      name: { type: "string", description: "The name of the server.", updateAllowed: true },
      image: {
        type: "string",
        description: "The image to boot from, by name or ID.",
        updateAllowed: true,
        constraints: [{ custom: "glance.image" }],
      },
      block_device_mapping: blockDeviceMapping,
      block_device_mapping_v2: blockDeviceMappingV2,
      flavor: {
        type: "string",
        description: "The flavor, by name or ID.",
        required: true,
        updateAllowed: true,
        constraints: [{ custom: "nova.flavor" }],
      },
      flavor_update_policy: {
        type: "string",
        description:
          "What happens to the server when its flavor changes: a resize or a replacement.",
        default: "RESIZE",
        updateAllowed: true,
        constraints: [{ allowedValues: ["RESIZE", "REPLACE"] }],
      },
      image_update_policy: {
        type: "string",
        description:
          "What happens to the server when its image changes: a rebuild or a replacement. A rebuild can keep the ephemeral disk.",
        default: "REBUILD",
        updateAllowed: true,
        constraints: [{ allowedValues: ["REBUILD", "REPLACE", "REBUILD_PRESERVE_EPHEMERAL"] }],
      },
      key_name: {
        type: "string",
        description: "The key pair whose public key goes on the server, by name.",
        constraints: [{ custom: "nova.keypair" }],
      },
      admin_user: {
        type: "string",
        description:
          "The name of the administrator account on the server. Use the image's own user instead.",
        support: {
          status: "HIDDEN",
          since: "5.0.0",
          message:
            'The default cloud-init user set up for each image (e.g. "ubuntu" for Ubuntu 12.04+, "fedora" for Fedora 19+ and "cloud-user" for CentOS/RHEL 6.5).',
          previous: { status: "DEPRECATED", since: "2014.1", previous: { since: "2013.2" } },
        },
      },
      availability_zone: { type: "string", description: "The availability zone of the server." },
      security_groups: {
        type: "list",
        description:
          "The security groups of the server, by name or ID. A port given in networks has its own instead.",
        default: [],
      },
      networks,
      scheduler_hints: {
        type: "map",
        description: "Hints for the Nova scheduler as key-value pairs.",
      },
      metadata: {
        type: "map",
        description:
          "The metadata of the server as key-value pairs. Keys and values have at most 255 characters. Other values than strings become JSON.",
        default: {},
        updateAllowed: true,
      },
      user_data_format: {
        type: "string",
        description:
          "How the user data reaches the server: unchanged, with scripts for cfn tools, or with software configuration.",
        default: "HEAT_CFNTOOLS",
        constraints: [{ allowedValues: ["HEAT_CFNTOOLS", "RAW", "SOFTWARE_CONFIG"] }],
      },
      software_config_transport: {
        type: "string",
        description:
          "How the server gets its software configuration: from an API, a Swift URL or a Zaqar queue.",
        default: "POLL_SERVER_CFN",
        updateAllowed: true,
        constraints: [
          {
            allowedValues: [
              "POLL_SERVER_CFN",
              "POLL_SERVER_HEAT",
              "POLL_TEMP_URL",
              "ZAQAR_MESSAGE",
            ],
          },
        ],
      },
      user_data_update_policy: {
        type: "string",
        description:
          "What happens to the server when its user data changes: a replacement, a rebuild or nothing.",
        default: "REPLACE",
        updateAllowed: true,
        support: { since: "6.0.0" },
        constraints: [{ allowedValues: ["REPLACE", "IGNORE", "REBUILD"] }],
      },
      user_data: {
        type: "string",
        description:
          "The script or configuration that cloud-init or Ignition runs on first boot. A change takes effect as user_data_update_policy says.",
        default: "",
        updateAllowed: true,
      },
      reservation_id: {
        type: "string",
        description: "The ID that groups servers of one request, as a UUID.",
      },
      config_drive: {
        type: "boolean",
        description: "Whether the server gets its metadata and user data on a small extra disk.",
      },
      diskConfig: {
        type: "string",
        description: "Whether Nova grows the root partition to the whole disk or leaves it alone.",
        constraints: [{ allowedValues: ["AUTO", "MANUAL"] }],
      },
      personality: {
        type: "map",
        description:
          "Files to write on the server at boot. Keys are paths and values are contents. Use user_data or metadata instead.",
        default: {},
        support: {
          status: "DEPRECATED",
          since: "12.0.0",
          message:
            "This is not supported with nova api microversion 2.57 and above. OS::Nova::Server resource will not support it in the future. Please use user_data or metadata instead. However, you can set heat config option max_nova_api_microversion < 2.57 to use this property in the meantime.",
        },
      },
      admin_pass: {
        type: "string",
        description: "The password of the administrator on the server.",
        updateAllowed: true,
      },
      tags: {
        type: "list",
        description: "The tags of the server. Needs Nova API version 2.26.",
        updateAllowed: true,
        support: { since: "8.0.0" },
        items: { type: "string" },
      },
      deployment_swift_data: {
        type: "map",
        description:
          "The Swift container and object that keep the deployment data. They need POLL_TEMP_URL as software_config_transport.",
        default: {},
        updateAllowed: true,
        support: { since: "9.0.0" },
        schema: {
          container: {
            type: "string",
            description: "The name of the Swift container.",
            constraints: [{ length: { min: 1 } }],
          },
          object: {
            type: "string",
            description: "The name of the Swift object.",
            constraints: [{ length: { min: 1 } }],
          },
        },
      },
    },
    translations: [
      { replace: ["networks", "network"], by: { sibling: "uuid" } },
      { replace: ["block_device_mapping_v2", "image"], by: { sibling: "image_id" } },
    ],
    attributes: {
      name: { description: "The server's name.", type: "string" },
      addresses: {
        description:
          "The addresses of the server, by network name and by network ID. Each has its port, subnets and network.",
        type: "map",
        support: {
          since: "11.0.0",
          message: "The attribute was extended to include subnets and network with version 11.0.0.",
          previous: {},
        },
      },
      networks: {
        description: "The IP addresses of the server, by network name and by network ID.",
        type: "map",
      },
      first_address: {
        description:
          "The first IP address of the server, or an empty string. With several networks it can be any of them.",
        support: {
          status: "HIDDEN",
          since: "5.0.0",
          message:
            'Use the networks attribute instead of first_address. For example: "{get_attr: [<server name>, networks, <network name>, 0]}"',
          previous: { status: "DEPRECATED", since: "2014.2", previous: { since: "2013.2" } },
        },
      },
      instance_name: {
        description: "The name of the server on its hypervisor, such as instance-00000001.",
        type: "string",
      },
      accessIPv4: {
        description: "The IPv4 address for access to the server, if someone set it.",
        type: "string",
        support: { status: "DEPRECATED", since: "14.0.0", previous: { since: "2015.1" } },
      },
      accessIPv6: {
        description: "The IPv6 address for access to the server, if someone set it.",
        type: "string",
        support: { status: "DEPRECATED", since: "14.0.0", previous: { since: "2015.1" } },
      },
      console_urls: {
        description:
          "The console URLs of the server, by console type. Add a type to get_attr to get one URL.",
        type: "map",
        support: { since: "2015.1" },
      },
      tags: {
        description: "The tags of the server. Needs Nova API version 2.26.",
        type: "list",
        support: { since: "8.0.0" },
      },
      os_collect_config: {
        description:
          "The settings with which os-collect-config on the server fetches deployment data.",
        type: "map",
        support: { since: "9.0.0" },
      },
    },
    mustReplace: mustReplaceServer,
    readWhenMade: ["user_data_format"],
    validate: refuseServer,
  },
  takesSnapshots: true,
};

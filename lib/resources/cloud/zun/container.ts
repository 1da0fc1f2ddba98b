import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { refuseContainer } from "./container-checks.ts";

export const zunContainer: DeclaredType = {
  type: "OS::Zun::Container",
  schema: {
    description: "A container that Zun runs directly from an image, without a server of its own.",
    support: { since: "9.0.0" },
    properties: {
      name: { type: "string", description: "The name of the Zun container.", updateAllowed: true },
      image: {
        type: "string",
        description: "The image that the container runs, by name or ID.",
        required: true,
      },
      command: { type: "string", description: "The command that the container runs." },
      cpu: {
        type: "number",
        description: "How many virtual CPUs the container has.",
        updateAllowed: true,
      },
      memory: {
        type: "integer",
        description: "The memory of the container. In mebibytes.",
        updateAllowed: true,
      },
      environment: { type: "map", description: "The environment variables of the container." },
      workdir: {
        type: "string",
        description: "The directory in the container in which commands run.",
      },
      labels: { type: "map", description: "Key-value labels of the container." },
      image_pull_policy: {
        type: "string",
        description: "When Zun pulls the image before the container starts.",
        constraints: [{ allowedValues: ["ifnotpresent", "always", "never"] }],
      },
      restart_policy: {
        type: "string",
        description:
          "When Zun starts the container again after it exits. A maximum number of retries may follow a colon.",
      },
      interactive: {
        type: "boolean",
        description: "Whether standard input stays open when no client is attached.",
      },
      tty: {
        type: "boolean",
        description: "Whether the container has a terminal.",
        support: { since: "14.0.0" },
      },
      image_driver: {
        type: "string",
        description: "The driver with which Zun pulls the image.",
        constraints: [{ allowedValues: ["docker", "glance"] }],
      },
      hints: {
        type: "map",
        description: "Key-value hints that help the scheduler choose a host.",
        support: { since: "10.0.0" },
      },
      hostname: {
        type: "string",
        description: "The host name of the container.",
        support: { since: "10.0.0" },
      },
      security_groups: {
        type: "list",
        description: "The security groups of the container, by name or ID.",
        default: [],
        support: { since: "10.0.0" },
      },
      mounts: {
        type: "list",
        description: "The volumes to mount in the container.",
        items: {
          type: "map",
          schema: {
            volume_id: {
              type: "string",
              description: "The Cinder volume to mount, by name or ID.",
              constraints: [{ custom: "cinder.volume" }],
            },
            volume_size: {
              type: "integer",
              description: "The size of a new Cinder volume to mount. In gigabytes.",
            },
            mount_path: {
              type: "string",
              description: "The path in the container where the volume is mounted.",
              required: true,
            },
          },
        },
      },
      networks: {
        type: "list",
        description: "The network interfaces of the container, in order.",
        updateAllowed: true,
        support: { since: "11.0.0" },
        items: {
          type: "map",
          schema: {
            network: {
              type: "string",
              description: "The network to attach the interface to, by name or ID.",
              constraints: [{ custom: "neutron.network" }],
            },
            fixed_ip: {
              type: "string",
              description: "The fixed IP address of the interface.",
              constraints: [{ custom: "ip_addr" }],
            },
            port: {
              type: "string",
              description: "The ID of the Neutron port to use as the interface.",
              constraints: [{ custom: "neutron.port" }],
            },
          },
        },
      },
    },
    attributes: {
      name: { description: "The name of the Zun container.", type: "string" },
      addresses: {
        description:
          "The addresses and port IDs of the container, by network. Each network appears under both its name and its ID.",
        type: "map",
      },
    },
    validate: refuseContainer,
  },
};

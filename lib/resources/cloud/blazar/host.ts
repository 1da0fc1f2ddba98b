import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const blazarHost: DeclaredType = {
  type: "OS::Blazar::Host",
  schema: {
    description: "A compute host that Blazar sets aside so that leases can reserve it.",
    support: { since: "12.0.0" },
    properties: {
      name: {
        type: "string",
        description: "The name of the host, as Nova knows it.",
        required: true,
      },
      extra_capability: {
        type: "map",
        description: "Additional capabilities of the host, as key-value pairs.",
      },
    },
    attributes: {
      hypervisor_hostname: {
        description: "The host name that the hypervisor reports.",
        type: "string",
      },
      hypervisor_type: { description: "The type of hypervisor on the host.", type: "string" },
      hypervisor_version: {
        description: "The version number of the hypervisor on the host.",
        type: "integer",
      },
      vcpus: { description: "How many virtual CPUs the host has.", type: "integer" },
      cpu_info: { description: "Details of the host CPU, such as its model.", type: "map" },
      memory_mb: { description: "The memory of the host. In megabytes.", type: "integer" },
      local_gb: { description: "The local disk space of the host. In gigabytes.", type: "integer" },
      service_name: { description: "The name of the compute service on the host.", type: "string" },
      reservable: { description: "Whether leases can reserve the host.", type: "boolean" },
      status: { description: "The current status of the host.", type: "string" },
      trust_id: {
        description: "The ID of the Keystone trust from the operator of the host.",
        type: "string",
      },
      extra_capability: {
        description: "Additional capabilities of the host, as key-value pairs.",
        type: "map",
      },
      created_at: { description: "When the host was added to Blazar.", type: "string" },
      updated_at: { description: "When the host was last updated in Blazar.", type: "string" },
    },
  },
};

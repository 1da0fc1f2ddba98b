import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const blazarLease: DeclaredType = {
  type: "OS::Blazar::Lease",
  schema: {
    description: "A claim on hosts or instances for a set time. It holds one or more reservations.",
    support: { since: "12.0.0" },
    properties: {
      name: { type: "string", description: "The name of the Blazar lease.", required: true },
      start_date: {
        type: "string",
        description: "When the lease begins. Written as YYYY-MM-DD hh:mm.",
        required: true,
        constraints: [{ allowedPattern: "\\d{4}-\\d{2}-\\d{2}\\s\\d{2}:\\d{2}" }],
      },
      end_date: {
        type: "string",
        description: "When the lease ends. Written as YYYY-MM-DD hh:mm.",
        required: true,
        constraints: [{ allowedPattern: "\\d{4}-\\d{2}-\\d{2}\\s\\d{2}:\\d{2}" }],
      },
      before_end_date: {
        type: "string",
        description:
          "When the actions before the end of the lease run. Written as YYYY-MM-DD hh:mm.",
        constraints: [{ allowedPattern: "\\d{4}-\\d{2}-\\d{2}\\s\\d{2}:\\d{2}" }],
      },
      reservations: {
        type: "list",
        description: "The reservations that the lease makes.",
        required: true,
        items: {
          type: "map",
          schema: {
            resource_type: {
              type: "string",
              description: "What kind of capacity to reserve.",
              required: true,
              constraints: [{ allowedValues: ["virtual:instance", "physical:host"] }],
            },
            min: {
              type: "integer",
              description: "The fewest hosts to reserve.",
              constraints: [{ range: { min: 1 } }],
            },
            max: {
              type: "integer",
              description: "The most hosts to reserve.",
              constraints: [{ range: { min: 1 } }],
            },
            hypervisor_properties: {
              type: "string",
              description:
                "A JSON expression that selects hosts by the properties of their hypervisor.",
            },
            resource_properties: {
              type: "string",
              description:
                "A JSON expression that selects hosts, usually by their extra capabilities.",
            },
            before_end: {
              type: "string",
              description: "What Blazar does with the reservation shortly before the lease ends.",
              default: "default",
              constraints: [{ allowedValues: ["default", "snapshot"] }],
            },
            amount: {
              type: "integer",
              description: "How many instances to reserve.",
              constraints: [{ range: { min: 0, max: 2147483647 } }],
            },
            vcpus: {
              type: "integer",
              description: "How many virtual CPUs each instance has.",
              constraints: [{ range: { min: 0, max: 2147483647 } }],
            },
            memory_mb: {
              type: "integer",
              description: "The memory of each instance. In megabytes.",
              constraints: [{ range: { min: 0, max: 2147483647 } }],
            },
            disk_gb: {
              type: "integer",
              description: "The local disk space of each instance. In gigabytes.",
              constraints: [{ range: { min: 0, max: 2147483647 } }],
            },
            affinity: {
              type: "boolean",
              description:
                "Whether the instances run on the same host. If false, they run on different hosts.",
              default: false,
            },
          },
        },
      },
      events: {
        type: "list",
        description: "The events of the lease.",
        default: [],
        items: {
          type: "map",
          schema: {
            event_type: {
              type: "string",
              description: "What kind of event it is.",
              required: true,
            },
            time: {
              type: "string",
              description: "When the event happens. Written as YYYY-MM-DD hh:mm.",
              required: true,
            },
          },
        },
      },
    },
    attributes: {
      name: { description: "The name of the Blazar lease.", type: "string" },
      start_date: { description: "When the lease begins.", type: "string" },
      end_date: { description: "When the lease ends.", type: "string" },
      created_at: { description: "When the lease was created.", type: "string" },
      updated_at: { description: "When the lease was last updated.", type: "string" },
      status: { description: "The current status of the lease.", type: "string" },
      degraded: {
        description: "Whether the lease has lost reserved capacity or had it changed.",
        type: "boolean",
      },
      user_id: { description: "The ID of the user who owns the lease.", type: "string" },
      project_id: { description: "The ID of the project that owns the lease.", type: "string" },
      trust_id: {
        description: "The ID of the Keystone trust from the owner of the lease.",
        type: "string",
      },
      reservations: { description: "The reservations that the lease makes.", type: "list" },
      events: { description: "The events of the lease.", type: "list" },
    },
  },
};

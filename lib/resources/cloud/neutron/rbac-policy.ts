import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { rbacPolicyProblem } from "./rbac-policy-checks.ts";

export const neutronRbacPolicy: DeclaredType = {
  type: "OS::Neutron::RBACPolicy",
  schema: {
    description: "A grant that lets another project use a network or another Neutron object.",
    support: { since: "6.0.0" },
    properties: {
      object_type: {
        type: "string",
        description: "The kind of object to share.",
        required: true,
        constraints: [
          {
            allowedValues: [
              "network",
              "qos_policy",
              "security_group",
              "address_scope",
              "subnetpool",
            ],
          },
        ],
      },
      target_tenant: {
        type: "string",
        description:
          "The ID of the project that may use the object. An asterisk stands for all projects.",
        required: true,
        updateAllowed: true,
      },
      action: {
        type: "string",
        description:
          "How the project may use the object. Only a network can be shared as external.",
        required: true,
        constraints: [{ allowedValues: ["access_as_shared", "access_as_external"] }],
      },
      object_id: {
        type: "string",
        description: "The name or ID of the object to share.",
        required: true,
      },
      tenant_id: {
        type: "string",
        description:
          "The ID of the project that owns this RBAC policy. Only an administrator may choose another project.",
      },
    },
    attributes: {},
    readWhenMade: ["object_type"],
    validate: rbacPolicyProblem,
  },
};

import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const manilaSecurityService: DeclaredType = {
  type: "OS::Manila::SecurityService",
  schema: {
    description:
      "The directory or authentication service that controls who can use shares, such as an LDAP server.",
    support: { since: "5.0.0" },
    properties: {
      name: {
        type: "string",
        description: "The name of the security service.",
        updateAllowed: true,
      },
      type: {
        type: "string",
        description: "The type of the security service.",
        required: true,
        constraints: [{ allowedValues: ["ldap", "kerberos", "active_directory"] }],
      },
      dns_ip: {
        type: "string",
        description: "The IP address of the DNS server in the network of the project.",
        updateAllowed: true,
      },
      server: {
        type: "string",
        description: "The host name or IP address of the security service.",
        updateAllowed: true,
      },
      domain: {
        type: "string",
        description: "The domain of the security service.",
        updateAllowed: true,
      },
      user: {
        type: "string",
        description: "The user or group name for access to the security service.",
        updateAllowed: true,
      },
      password: { type: "string", description: "The password of the user.", updateAllowed: true },
      description: {
        type: "string",
        description: "A description of the security service.",
        updateAllowed: true,
      },
    },
    attributes: {},
  },
};

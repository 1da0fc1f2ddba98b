import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const designateRecordSet: DeclaredType = {
  type: "OS::Designate::RecordSet",
  schema: {
    description: "The DNS records of one name and one type in a Designate zone.",
    support: { since: "8.0.0" },
    templateName: "DesignateRecordSet",
    properties: {
      name: {
        type: "string",
        description: "The DNS name of the records, with a dot at the end.",
        constraints: [{ length: { max: 255 } }],
      },
      ttl: {
        type: "integer",
        description: "How long resolvers may cache the records, in seconds.",
        updateAllowed: true,
        constraints: [{ range: { min: 1, max: 2147483647 } }],
      },
      description: {
        type: "string",
        description: "The description of the recordset.",
        updateAllowed: true,
        constraints: [{ length: { max: 160 } }],
      },
      type: {
        type: "string",
        description: "The DNS type of the records.",
        required: true,
        constraints: [
          {
            allowedValues: [
              "A",
              "AAAA",
              "CNAME",
              "MX",
              "SRV",
              "TXT",
              "SPF",
              "NS",
              "PTR",
              "SSHFP",
              "SOA",
              "CAA",
              "CERT",
              "NAPTR",
            ],
          },
        ],
      },
      records: {
        type: "list",
        description:
          "The data of the records, one item each. The format follows the type: an IPv4 address for A, a host name for CNAME.",
        required: true,
        updateAllowed: true,
      },
      zone: {
        type: "string",
        description: "The zone of the records, by name or ID.",
        required: true,
        constraints: [{ custom: "designate.zone" }],
      },
    },
    attributes: {},
  },
};

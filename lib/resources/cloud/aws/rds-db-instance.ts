import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const awsRdsDbInstance: DeclaredType = {
  type: "AWS::RDS::DBInstance",
  schema: {
    description:
      "A MySQL database on a server, in a nested stack of its own. Attributes give its address.",
    properties: {
      AllocatedStorage: { type: "string", required: true, updateAllowed: true },
      DBInstanceClass: { type: "string", required: true, updateAllowed: true },
      DBName: { type: "string", required: true, updateAllowed: true },
      DBSecurityGroups: { type: "list", updateAllowed: true },
      Engine: {
        type: "string",
        required: true,
        updateAllowed: true,
        constraints: [{ allowedValues: ["MySQL"] }],
      },
      MasterUsername: { type: "string", required: true, updateAllowed: true },
      MasterUserPassword: { type: "string", required: true, updateAllowed: true },
      Port: { type: "string", updateAllowed: true },
      KeyName: { type: "string", updateAllowed: true },
    },
    attributes: { "Endpoint.Address": {}, "Endpoint.Port": {} },
  },
};

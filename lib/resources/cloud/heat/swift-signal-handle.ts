import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const heatSwiftSignalHandle: DeclaredType = {
  type: "OS::Heat::SwiftSignalHandle",
  schema: {
    description: "A temporary Swift URL to signal to, and the signals that it received.",
    support: { since: "2014.2" },
    properties: {},
    attributes: {
      token: {
        description:
          "Always empty, as the URL needs no token. OS::Heat::WaitConditionHandle has such an attribute.",
        type: "string",
      },
      endpoint: { description: "The URL to signal to.", type: "string" },
      curl_cli: {
        description:
          "The start of a curl command that signals. Add the status as JSON with --data-binary.",
        type: "string",
      },
    },
  },
};

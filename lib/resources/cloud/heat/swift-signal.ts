import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

export const heatSwiftSignal: DeclaredType = {
  type: "OS::Heat::SwiftSignal",
  schema: {
    description:
      "Waits until its OS::Heat::SwiftSignalHandle has enough signals, for a limited time.",
    support: { since: "2014.2" },
    properties: {
      handle: {
        type: "string",
        description: "The temporary Swift URL of the handle to wait for.",
        required: true,
      },
      timeout: {
        type: "number",
        description: "How many seconds to wait. Then it fails.",
        required: true,
        constraints: [{ range: { min: 1, max: 43200 } }],
      },
      count: {
        type: "integer",
        description: "How many signals to wait for.",
        default: 1,
        constraints: [{ range: { min: 1, max: 1000 } }],
      },
    },
    attributes: {
      data: { description: "JSON text: the data of each signal by its id.", type: "string" },
    },
  },
};

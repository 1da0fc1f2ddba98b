import { ExactNumber } from "#lib/json.ts";
import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";

/** Heat has a float here. */
const ONE = new ExactNumber(1);

export const heatDelay: DeclaredType = {
  type: "OS::Heat::Delay",
  schema: {
    description:
      "A pause between its requirements and what depends on it. A random time can be added to it.",
    support: { since: "11.0.0" },
    properties: {
      min_wait: {
        type: "number",
        description: "The shortest pause, in seconds.",
        default: 0,
        updateAllowed: true,
        constraints: [{ range: { min: 0 } }],
      },
      max_jitter: {
        type: "number",
        description: "The longest random time to add to the pause, in units of jitter_multiplier.",
        default: 0,
        updateAllowed: true,
        constraints: [{ range: { min: 0 } }],
      },
      jitter_multiplier: {
        type: "number",
        description: "The length of one unit of max_jitter, in seconds.",
        default: ONE,
        updateAllowed: true,
        constraints: [{ range: { min: 0 } }],
      },
      actions: {
        type: "list",
        description: "The actions that pause.",
        default: ["CREATE"],
        updateAllowed: true,
        constraints: [{ allowedValues: ["CREATE", "DELETE", "SUSPEND", "RESUME"] }],
      },
    },
    attributes: {},
  },
};

import type { DeclaredType } from "#lib/resources/cloud/declared-type.ts";
import { l7PolicyProblem } from "./l7-policy-checks.ts";

export const octaviaL7Policy: DeclaredType = {
  type: "OS::Octavia::L7Policy",
  schema: {
    description: "Says what a listener does with requests that match all the rules of the policy.",
    support: { since: "10.0.0" },
    properties: {
      name: { type: "string", description: "The name of the policy.", updateAllowed: true },
      description: {
        type: "string",
        description: "The description of the policy.",
        updateAllowed: true,
      },
      admin_state_up: {
        type: "boolean",
        description: "Whether the policy is in use.",
        default: true,
        updateAllowed: true,
      },
      action: {
        type: "string",
        description: "What happens to matching requests.",
        required: true,
        updateAllowed: true,
        constraints: [{ allowedValues: ["REJECT", "REDIRECT_TO_POOL", "REDIRECT_TO_URL"] }],
      },
      redirect_pool: {
        type: "string",
        description:
          "The pool that gets matching requests, by ID or name. For REDIRECT_TO_POOL only.",
        updateAllowed: true,
        constraints: [{ custom: "octavia.pool" }],
      },
      redirect_url: {
        type: "string",
        description: "The URL that clients are sent to. For REDIRECT_TO_URL only.",
        updateAllowed: true,
      },
      position: {
        type: "number",
        description:
          "The place of the policy among those of the listener, from 1. Without it the policy comes last.",
        updateAllowed: true,
        constraints: [{ range: { min: 1 } }],
      },
      listener: {
        type: "string",
        description: "The listener, by ID or name.",
        required: true,
        constraints: [{ custom: "octavia.listener" }],
      },
    },
    attributes: { rules: { description: "The rules of the policy.", type: "list" } },
    validate: l7PolicyProblem,
  },
};

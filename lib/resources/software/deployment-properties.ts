/** The properties that all deployments share: of a script or of structured data, to one server or to several. */
import type { PropertySchemas } from "#lib/model/property-schema.ts";

const ACTIONS = ["CREATE", "UPDATE", "DELETE", "SUSPEND", "RESUME"];
const TRANSPORTS = ["CFN_SIGNAL", "TEMP_URL_SIGNAL", "HEAT_SIGNAL", "NO_SIGNAL", "ZAQAR_SIGNAL"];
const TIMEOUT_SECONDS_MAX = 7 * 24 * 3_600;

export const deploymentProperties: PropertySchemas = {
  config: {
    type: "string",
    description: "The id of the configuration to deploy.",
    updateAllowed: true,
  },
  input_values: {
    type: "map",
    description: "Values of the configuration's inputs, and of further ones.",
    updateAllowed: true,
  },
  actions: {
    type: "list",
    description: "The actions of this resource that deploy it. A component ignores them.",
    default: ["CREATE", "UPDATE"],
    constraints: [{ allowedValues: ACTIONS }],
    updateAllowed: true,
  },
  name: {
    type: "string",
    description:
      "The name under which the server sees it; servers run what they see in this order.",
    updateAllowed: true,
  },
  signal_transport: {
    type: "string",
    description:
      "How the server reports the result: by POST (CFN_SIGNAL), not at all (NO_SIGNAL), or by PUT; always to a signed URL.",
    default: "CFN_SIGNAL",
    constraints: [{ allowedValues: TRANSPORTS }],
  },
  timeout: {
    type: "number",
    description:
      "How many seconds to wait for the result of one action before it has failed, or in DELETE is given up. Without it only the stack's time counts. Heat has no such property.",
    constraints: [{ range: { min: 1, max: TIMEOUT_SECONDS_MAX } }],
    updateAllowed: true,
  },
};

export const structuredProperties: PropertySchemas = {
  input_key: {
    type: "string",
    description: "The key of a map in the configuration that stands for an input's value.",
    default: "get_input",
  },
  input_values_validate: {
    type: "string",
    description: "Whether an input without a value is null (LAX) or an error (STRICT).",
    default: "LAX",
    constraints: [{ allowedValues: ["LAX", "STRICT"] }],
  },
};

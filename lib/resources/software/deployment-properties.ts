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
    description: "Values of the configuration's inputs, and of additional inputs.",
    updateAllowed: true,
  },
  actions: {
    type: "list",
    description: "The actions of this resource that deploy it. Components ignore them.",
    default: ["CREATE", "UPDATE"],
    constraints: [{ allowedValues: ACTIONS }],
    updateAllowed: true,
  },
  name: {
    type: "string",
    description: "The name on the server, which runs its deployments in the order of their names.",
    updateAllowed: true,
  },
  signal_transport: {
    type: "string",
    description:
      "How the server reports the result to a signed URL: by POST (CFN_SIGNAL), by PUT, or not at all (NO_SIGNAL).",
    default: "CFN_SIGNAL",
    constraints: [{ allowedValues: TRANSPORTS }],
  },
  timeout: {
    type: "number",
    description:
      "How many seconds to wait for the result of one action. Then the action fails, or in DELETE is given up. Without it the stack's timeout applies.",
    constraints: [{ range: { min: 1, max: TIMEOUT_SECONDS_MAX } }],
    updateAllowed: true,
    own: true,
  },
};

export const structuredProperties: PropertySchemas = {
  input_key: {
    type: "string",
    description: "A map with this key in the configuration is replaced by the input's value.",
    default: "get_input",
  },
  input_values_validate: {
    type: "string",
    description: "Whether an input without a value is null (LAX) or an error (STRICT).",
    default: "LAX",
    constraints: [{ allowedValues: ["LAX", "STRICT"] }],
  },
};

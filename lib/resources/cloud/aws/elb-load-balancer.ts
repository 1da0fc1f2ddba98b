import * as z from "zod/mini";
import type { JsonObject } from "#lib/json.ts";
import { plainNumber } from "#lib/json-schema.ts";
import type { TypeRules } from "#lib/resources/cloud/declared-type.ts";
import { reads } from "#lib/resources/cloud/given-values.ts";

const healthCheckSchema = z.optional(z.object({ Interval: plainNumber, Timeout: plainNumber }));

const validate = (given: JsonObject): string | null => {
  reads(given, "SecurityGroups");
  const check = healthCheckSchema.parse(given["HealthCheck"]);
  // Heat sends the text of Python's dictionary.
  return check !== undefined && check.Interval < check.Timeout
    ? "{'Error': 'Interval must be larger than Timeout'}"
    : null;
};

export const awsElbLoadBalancer: TypeRules = {
  validate,
};

import * as z from "zod/mini";
import type { JsonObject } from "#lib/json.ts";
import type { ServiceRules } from "#lib/resources/cloud/declared-type.ts";

const SUBSCRIBER_TYPES = ["http", "https", "mailto", "trust+http", "trust+https"];

const refuseSubscription = (given: JsonObject): string | null => {
  const [kind = ""] = z.string().parse(given["subscriber"]).split(":", 1);
  return SUBSCRIBER_TYPES.includes(kind)
    ? null
    : `The subscriber type of must be one of: ${SUBSCRIBER_TYPES.join(", ")}.`;
};

export const ZAQAR_RULES: ServiceRules = {
  "OS::Zaqar::Subscription": { validate: refuseSubscription },
};

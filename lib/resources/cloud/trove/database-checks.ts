/** What Heat checks of database servers and of clusters of them. */
import * as z from "zod/mini";
import type { JsonObject } from "#lib/json.ts";
import { reads } from "#lib/resources/cloud/given-values.ts";
import { isSet } from "#lib/resources/cloud/refusals.ts";

export const EITHER_NETWORK_OR_PORT = "Either network or port must be provided.";

export const networksSchema = z._default(
  z.array(z.object({ network: z.optional(z.string()), port: z.optional(z.string()) })),
  [],
);

export const refuseDatastore = (given: JsonObject): string | null =>
  reads(given, "datastore_type") ??
  (isSet(given, "datastore_version") && !isSet(given, "datastore_type")
    ? "Not allowed - datastore_version without datastore_type."
    : null);

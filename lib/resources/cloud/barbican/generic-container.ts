import * as z from "zod/mini";
import type { JsonObject } from "#lib/json.ts";
import type { TypeRules } from "#lib/resources/cloud/declared-type.ts";
import { refuseDuplicateRefs } from "./duplicate-refs.ts";

const secretsSchema = z._default(z.array(z.object({ ref: z.string() })), []);

const validate = (given: JsonObject): string | null =>
  refuseDuplicateRefs(secretsSchema.parse(given["secrets"]).map(({ ref }) => ref));

export const barbicanGenericContainer: TypeRules = {
  validate,
};

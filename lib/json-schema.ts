/** The zod schema of a JSON object. It is one of zod/mini, which full zod takes as a member too. */
import * as z from "zod/mini";
import { isJsonObject, type JsonObject } from "./json.ts";

/** JSON.parse made the value, so its members are JSON already and need no check. */
export const jsonObject = z.custom<JsonObject>(isJsonObject, "must be an object");

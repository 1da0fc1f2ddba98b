/** The zod schemas of JSON. They are of zod/mini, which full zod takes as members too. */
import * as z from "zod/mini";
import { mapOf } from "#lib/json.ts";
import { ExactNumber, isJsonObject, type Json, type JsonObject } from "./json.ts";

/** parseJson made the value, so its members are JSON already and need no check. */
export const jsonObject = z.custom<JsonObject>(isJsonObject, "must be an object");

/** parseJson made the value. A member that is absent is undefined, and that is not JSON. */
export const json = z.custom<Json>((value) => value !== undefined, "must be given");

/** A property as JavaScript's number, for calculating with it: 30.0 is 30. */
export const plainNumber = z.pipe(
  z.transform((value: unknown) => (value instanceof ExactNumber ? Number(value.value) : value)),
  z.number(),
);

/** A map from users' names. The record of zod itself leaves out the name `__proto__`. */
export const recordOf = <T>(member: z.ZodMiniType<T>) =>
  z.pipe(
    jsonObject,
    z.transform((given: JsonObject, { issues }): Readonly<Record<string, T>> => {
      const entries = Object.entries(given).flatMap(([name, value]) => {
        const read = z.safeParse(member, value);
        if (read.success) return [[name, read.data] as const];
        for (const { message, path } of read.error.issues) {
          issues.push({ code: "custom", message, path: [name, ...path], input: value });
        }
        return [];
      });
      return mapOf(entries);
    }),
  );

/** What is wrong with a value, by the places in it: `state.name: Invalid input`. */
export const wrongPlaces = ({ issues }: z.core.$ZodError): string =>
  issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");

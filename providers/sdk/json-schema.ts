import * as z from "zod/mini";

export const json = z.json();
export const jsonObject = z.record(z.string(), json);

/** Time limits for emulators, which are as slow as a busy machine makes them. */
import * as z from "zod";

const pace = z.coerce.number().min(1).default(1).parse(process.env["HEARTH_TEST_PACE"]);

export const limitMs = (quietMs: number): number => Math.ceil(quietMs * pace);

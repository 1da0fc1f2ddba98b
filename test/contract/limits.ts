/** Time limits for emulators, which are as slow as the machine and what else they do. */
import * as z from "zod";

/** Set by the AWS lane: how many times longer its machine takes than a quiet one. */
const pace = z.coerce.number().min(1).default(1).parse(process.env["HEARTH_TEST_PACE"]);

export const limitMs = (quietMs: number): number => Math.ceil(quietMs * pace);

import * as z from "zod";

export const batchSchema = z.object({ from: z.int(), count: z.int() });
export type Batch = z.infer<typeof batchSchema>;

export const failureSchema = z.object({ number: z.int(), kind: z.string(), fault: z.string() });
export type Failure = z.infer<typeof failureSchema>;

export const reportSchema = z.union([
  /** Sent before each input, so that the lane knows which input killed the child. */
  z.object({ at: z.int() }),
  z.object({
    done: z.object({
      accepted: z.int(),
      refused: z.int(),
      slowestMs: z.number(),
      slowest: z.int(),
      failures: z.array(failureSchema),
    }),
  }),
]);
export type Report = z.infer<typeof reportSchema>;
export type Done = Extract<Report, { done: unknown }>["done"];

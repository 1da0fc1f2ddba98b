/** A map from users' names, as a cloud answers it. Zod's own record leaves out `__proto__`. */
import * as z from "zod/mini";

const entriesOf = (given: unknown): unknown =>
  typeof given === "object" && given !== null ? Object.entries(given) : given;

export const recordOf = <Member>(member: z.ZodMiniType<Member>) =>
  z.pipe(
    z.transform(entriesOf),
    z.pipe(
      z.array(z.tuple([z.string(), member])),
      z.transform((entries) => Object.fromEntries(entries)),
    ),
  );

import * as z from "zod/mini";

/** Whole seconds in UTC. */
export const Time = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/));
export const TimeOrNull = z.nullable(Time);
export const Text = z.nullable(z.string());
export const Values = z.catchall(z.object({}), z.unknown());

export const Link = z.object({ href: z.string(), rel: z.string() });
export const Links = z.array(Link);

export const Fault = z.object({
  code: z.int(),
  title: z.string(),
  explanation: z.string(),
  error: z.object({
    type: z.string(),
    message: z.string(),
    traceback: z.null(),
    /** The other errors of the request, with `all_errors=true`. */
    others: z.optional(z.array(z.object({ type: z.string(), message: z.string() }))),
  }),
});

export const Nothing = z.null();
export const Empty = z.object({});

/** What several answers of the API have in common. */
import * as z from "zod/mini";

/** Whole seconds in UTC. */
export const Time = z.string().check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/));
export const TimeOrNull = z.nullable(Time);
export const Text = z.nullable(z.string());
/** Any JSON under users' names. */
export const Values = z.catchall(z.object({}), z.unknown());

/** `rel` says where it leads: `self`, `stack`, `nested`, `next`, … */
export const Link = z.object({ href: z.string(), rel: z.string() });
export const Links = z.array(Link);

/** Heat's error document. */
export const Fault = z.object({
  code: z.int(),
  title: z.string(),
  explanation: z.string(),
  error: z.object({
    /** Heat's name of the error, such as `EntityNotFound`. */
    type: z.string(),
    message: z.string(),
    traceback: z.null(),
    /** With `all_errors=true`: what else is wrong. */
    others: z.optional(z.array(z.object({ type: z.string(), message: z.string() }))),
  }),
});

export const Nothing = z.null();
export const Empty = z.object({});

/**
 * This module must be imported first. Compiled checks of zod need `eval`, which the content policy
 * forbids, and the first check tests whether `eval` works.
 */
import * as z from "zod";

z.config({ jitless: true });

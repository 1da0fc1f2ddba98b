/**
 * Import this before all else. Compiled checks need `eval`, which the content policy forbids, and
 * the first check finds out whether there is one.
 */
import * as z from "zod";

z.config({ jitless: true });

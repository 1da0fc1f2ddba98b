/**
 * How every AWS client is opened here: with the platform's region, and an emulator's endpoint if
 * there is one.
 */
import type { Platform } from "./environment.ts";

export const clientOptions = ({ region, endpoint }: Platform) => ({
  region,
  ...(endpoint === undefined ? {} : { endpoint }),
});

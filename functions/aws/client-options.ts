/** How every client of an AWS service is opened here: the platform's region, or an emulator's endpoint. */
import type { Platform } from "./environment.ts";

export const clientOptions = ({ region, endpoint }: Platform) => ({
  region,
  ...(endpoint === undefined ? {} : { endpoint }),
});

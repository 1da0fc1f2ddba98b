/** The types of a host's plug-ins, and of its cloud. */
import type { Clock } from "#lib/ports/clock.ts";
import type { CloudBackEnd } from "#lib/resources/cloud/cloud-back-end.ts";
import type { TypeFamily } from "#lib/resources/provided/provided-family.ts";
import { providedType } from "#lib/resources/provided/provided-type.ts";
import type { ProvidedTypes } from "#lib/resources/registry.ts";
import { callLimit } from "./call-limit.ts";
import type { Plugin } from "./load-plugin.ts";

export const providedTypes = (
  plugins: readonly Plugin[],
  clock: Clock,
  formerProvider: ProvidedTypes["formerProvider"],
  cloud: CloudBackEnd | null,
  family: TypeFamily | null = null,
): ProvidedTypes => {
  const limit = callLimit();
  return {
    types: plugins.flatMap(({ provider }) =>
      Object.entries(provider.types).map(([name, type]) =>
        providedType({ provider: provider.name, name, type, limit, now: clock.now }),
      ),
    ),
    formerProvider,
    cloud: cloud && { backEnd: cloud, limit, now: clock.now },
    family: family && { family, limit, now: clock.now },
  };
};

import { callLimit } from "#lib/adapters/node/call-limit.ts";
import type { Clock } from "#lib/ports/ports.ts";
import type { MachineProvider } from "#lib/resources/machine/ssh-machine.ts";
import type { CloudBackEnd } from "#lib/resources/provided/cloud-back-end.ts";
import { providedType, type TypeFamily } from "#lib/resources/provided/provided-type.ts";
import type { ProvidedTypes } from "#lib/resources/registry.ts";
import type { Plugin } from "./load-plugin.ts";

interface Makers {
  readonly plugins: readonly Plugin[];
  readonly cloud?: CloudBackEnd | null;
  readonly family?: TypeFamily | null;
  readonly machines?: MachineProvider | null;
}

export const providedTypes = (
  { plugins, cloud = null, family = null, machines = null }: Makers,
  clock: Clock,
  formerProvider: NonNullable<ProvidedTypes["formerProvider"]>,
): ProvidedTypes => {
  const limit = callLimit();
  const bound = { limit, now: clock.now };
  return {
    types: plugins.flatMap(({ provider }) =>
      Object.entries(provider.types).map(([name, type]) =>
        providedType({ provider: provider.name, name, type, ...bound }),
      ),
    ),
    formerProvider,
    cloud: cloud && { backEnd: cloud, ...bound },
    family: family && { family, ...bound },
    machines: machines && { provider: machines, ...bound },
  };
};

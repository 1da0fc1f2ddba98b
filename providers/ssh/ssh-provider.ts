import type { Provider } from "#provider/provider.ts";
import { idOf } from "../object-names.ts";
import { hasNotReached, type MachineBackEnd, machine, whySilent } from "./machine.ts";

export interface SshProvider extends Provider {
  readonly serverId: (token: string) => string;
  readonly waitsFor: (handle: string) => string | null;
  readonly hasNotReached: (handle: string) => boolean;
}

export const sshProvider = (backEnd: MachineBackEnd): SshProvider => ({
  provider: 1,
  name: "ssh",
  types: { "Hearth::Machine::SSH": machine(backEnd) },
  serverId: idOf,
  waitsFor: whySilent,
  hasNotReached,
});

/** Machines that exist, over SSH (docs/run-on-machines.md). */
import type { Provider } from "#provider/provider.ts";
import { idOf } from "../object-names.ts";
import { hasNotReached, type MachineBackEnd, machine, whySilent } from "./machine.ts";

export interface SshProvider extends Provider {
  /** The physical id that a creation with this token gives its machine. */
  readonly serverId: (token: string) => string;
  /** What an operation with this handle waits for. Null: nothing is known. */
  readonly waitsFor: (handle: string) => string | null;
  /** The call that answered with this handle has not reached its machine. */
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

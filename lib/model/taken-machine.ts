/** A machine of the user's inventory that a server has. No machine has two servers. */
export interface TakenMachine {
  readonly tenant: string;
  readonly name: string;
  readonly stackId: string;
  readonly resourceName: string;
  /** Null while only a port of the server has the machine: the server is not made yet. */
  readonly serverId: string | null;
}

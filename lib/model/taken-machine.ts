/** A machine of the user's inventory that a server has. No machine has two servers. */
export interface TakenMachine {
  readonly tenant: string;
  readonly name: string;
  readonly stackId: string;
  readonly resourceName: string;
  /** A server that is not made yet has no id: one of its ports has taken the machine. */
  readonly serverId: string | null;
}

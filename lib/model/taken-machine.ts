/** The record that a server has a machine of the user's inventory. A machine has one at most. */
export interface TakenMachine {
  readonly tenant: string;
  /** The machine's name in the inventory. */
  readonly name: string;
  readonly stackId: string;
  /** The server of the stack's template that has it, also after the server was replaced. */
  readonly resourceName: string;
  /** Null: a port of the server has taken it, and the server is not made yet. */
  readonly serverId: string | null;
}

/**
 * The context under which everything of a stack is sealed. A sealed text opens under its own
 * context only, so text that was copied from another stack does not open. Stored texts depend on
 * these bytes.
 */
export const cipherContext = (owner: {
  readonly tenant: string;
  readonly stackId: string;
}): string => `${owner.tenant}/${owner.stackId}`;

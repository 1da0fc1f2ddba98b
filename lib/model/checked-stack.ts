/** What the check of a resource may ask about the stack that the resource is in. */
export interface CheckedStack {
  readonly isResource: (name: string) => boolean;
  /** How long one action may take. Null: that is not known yet, as in a nested template. */
  readonly timeoutSeconds: number | null;
}

/** How long Heat has had a type, a property or an attribute, and whether one should use it. */

export interface SupportStatus {
  /** Absent: SUPPORTED. What is HIDDEN is in no list, and old templates may use it. */
  readonly status?: "DEPRECATED" | "UNSUPPORTED" | "HIDDEN";
  /** The release of Heat since which this is so. */
  readonly since?: string;
  /** What to use instead, in Heat's words. */
  readonly message?: string;
  /** What was so before. */
  readonly previous?: SupportStatus;
}

export const isHidden = (support: SupportStatus | undefined): boolean =>
  support?.status === "HIDDEN";

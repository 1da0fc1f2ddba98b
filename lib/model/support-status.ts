export interface SupportStatus {
  /** The default is SUPPORTED. HIDDEN names are not listed, but old templates may use them. */
  readonly status?: "DEPRECATED" | "UNSUPPORTED" | "HIDDEN";
  readonly since?: string;
  readonly message?: string;
  readonly previous?: SupportStatus;
}

export const isHidden = (support: SupportStatus | undefined): boolean =>
  support?.status === "HIDDEN";

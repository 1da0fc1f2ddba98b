export type YaqlErrorKind =
  | "syntax"
  | "unknown"
  | "no_match"
  | "ambiguous"
  | "argument"
  | "limit"
  | "index"
  | "key"
  | "type"
  | "value"
  | "zero"
  | "assertion"
  | "stop"
  | "unsupported";

export class YaqlError extends Error {
  override readonly name = "YaqlError";
  readonly kind: YaqlErrorKind;
  constructor(kind: YaqlErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export const typeError = (message: string): YaqlError => new YaqlError("type", message);
export const valueError = (message: string): YaqlError => new YaqlError("value", message);

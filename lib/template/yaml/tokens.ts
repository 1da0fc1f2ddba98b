/** The tokens of YAML 1.1. Errors name them by these words, which are PyYAML's. */

export type TokenId =
  | "<directive>"
  | "<document start>"
  | "<document end>"
  | "<stream end>"
  | "<block sequence start>"
  | "<block mapping start>"
  | "<block end>"
  | "["
  | "{"
  | "]"
  | "}"
  | "?"
  | ":"
  | "-"
  | ","
  | "<alias>"
  | "<anchor>"
  | "<tag>"
  | "<scalar>";

export interface TagName {
  /** Null: the suffix is the whole tag. */
  readonly handle: string | null;
  readonly suffix: string;
}

export type Directive =
  | { readonly name: "YAML"; readonly major: number }
  | { readonly name: "TAG"; readonly handle: string; readonly prefix: string }
  | { readonly name: "other" };

export interface Token {
  readonly id: TokenId;
  /** Offsets in the text. */
  readonly start: number;
  readonly end: number;
  /** Of a scalar, an alias or an anchor. */
  readonly value?: string;
  /** A scalar without quotes. */
  readonly isPlain?: boolean;
  readonly tag?: TagName;
  readonly directive?: Directive;
}

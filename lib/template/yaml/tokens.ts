/** The tokens of YAML 1.1, in PyYAML's words, which errors show. */

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
  readonly handle: string | null;
  readonly suffix: string;
}

export type Directive =
  | { readonly name: "YAML"; readonly major: number }
  | { readonly name: "TAG"; readonly handle: string; readonly prefix: string }
  | { readonly name: "other" };

export interface Token {
  readonly id: TokenId;
  readonly start: number;
  readonly end: number;
  readonly value?: string;
  readonly isPlain?: boolean;
  readonly tag?: TagName;
  readonly directive?: Directive;
}

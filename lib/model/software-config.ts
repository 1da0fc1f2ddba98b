import type { Json } from "#lib/json.ts";

/** Only derived configs have a `value`. */
export interface ConfigInput {
  readonly name: string;
  readonly type: "String" | "Number" | "CommaDelimitedList" | "Json" | "Boolean";
  readonly description?: string;
  readonly default?: Json;
  readonly replace_on_change?: boolean;
  readonly value?: Json;
}

export interface ConfigOutput {
  readonly name: string;
  readonly type: ConfigInput["type"];
  readonly description?: string;
  readonly error_output: boolean;
}

export interface ConfigContent {
  readonly name: string;
  readonly group: string;
  readonly config: Json;
  readonly inputs: readonly ConfigInput[];
  readonly outputs: readonly ConfigOutput[];
  readonly options: { readonly [key: string]: Json };
}

/** The stack id of configs and deployments that users create without a stack. */
export const STANDALONE = "standalone";

export interface SoftwareConfigRecord {
  readonly tenant: string;
  readonly id: string;
  readonly stackId: string;
  /** Sealed JSON of a ConfigContent. */
  readonly content: string;
  readonly createdAt: number;
}

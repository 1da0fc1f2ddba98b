/** The records of software configuration, after Heat's software_config. */
import type { Json } from "#lib/json.ts";

/** One JSON Schema-like entry of a config's inputs; `value` only in derived configs. */
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

/** The content of a config: what a derived config copies. */
export interface ConfigContent {
  readonly name: string;
  readonly group: string;
  readonly config: Json;
  readonly inputs: readonly ConfigInput[];
  readonly outputs: readonly ConfigOutput[];
  readonly options: { readonly [key: string]: Json };
}

/** In the place of a stack's id: of configs and deployments that a user has made by themselves. No stack is called so. */
export const STANDALONE = "standalone";

/** Immutable. `content` is sealed JSON of a ConfigContent. */
export interface SoftwareConfigRecord {
  readonly tenant: string;
  readonly id: string;
  readonly stackId: string;
  readonly content: string;
  readonly createdAt: number;
}

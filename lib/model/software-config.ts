/** The records of software configuration (Heat: software_config). */
import type { Json } from "#lib/json.ts";

/** One input of a config, in the style of JSON Schema. Only derived configs have a `value`. */
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

/** The content of a config. A derived config copies it. */
export interface ConfigContent {
  readonly name: string;
  readonly group: string;
  readonly config: Json;
  readonly inputs: readonly ConfigInput[];
  readonly outputs: readonly ConfigOutput[];
  readonly options: { readonly [key: string]: Json };
}

/**
 * The stack id of configs and deployments that users create without a stack. No stack has this id.
 */
export const STANDALONE = "standalone";

/** Immutable. */
export interface SoftwareConfigRecord {
  readonly tenant: string;
  readonly id: string;
  readonly stackId: string;
  /** Sealed JSON of a ConfigContent. */
  readonly content: string;
  readonly createdAt: number;
}

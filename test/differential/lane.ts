import type { JsonObject } from "#lib/json.ts";
import type { Random } from "#lib/ports/ports.ts";

export interface Lane {
  readonly operation: string;
  readonly script?: string;
  readonly share: number;
  readonly question: (random: Random) => JsonObject;
  readonly subject: (question: JsonObject) => string;
  /** Makes the question for Heat. By default it is the same. */
  readonly asked?: (question: JsonObject) => JsonObject;
  readonly ours: (question: JsonObject) => JsonObject | Promise<JsonObject>;
  /** Selects the parts that count. Both answers are passed through it before they are compared. */
  readonly compared: (answer: JsonObject, question: JsonObject) => JsonObject;
}

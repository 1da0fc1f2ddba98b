/** A lane asks Heat and Hearth the same generated questions. */
import type { JsonObject } from "#lib/json.ts";
import type { Random } from "#lib/ports/random.ts";

export interface Lane {
  /** The name of the operation in the script. */
  readonly operation: string;
  /** Absent: heat.py. */
  readonly script?: string;
  /** Its part of all cases. */
  readonly share: number;
  readonly question: (random: Random) => JsonObject;
  /** What the question is about, for the counts. */
  readonly subject: (question: JsonObject) => string;
  /** What Heat is asked. Absent: the question itself. */
  readonly asked?: (question: JsonObject) => JsonObject;
  readonly ours: (question: JsonObject) => JsonObject | Promise<JsonObject>;
  /** What of an answer counts. Both answers go through it before they are compared. */
  readonly compared: (answer: JsonObject, question: JsonObject) => JsonObject;
}

/** What the document says of one operation besides its route. */
import type { QueryParameter } from "./parameters.ts";
import type { AnswerName, BodyName } from "./schemas.ts";

/** Answers without a schema of JSON. */
export type OtherAnswer = "nothing" | "redirect" | "text" | "stream";

export interface Operation {
  readonly summary: string;
  readonly query?: readonly QueryParameter[];
  readonly body?: BodyName;
  /** Absent: the body is needed. */
  readonly bodyIsOptional?: true;
  readonly answers: Readonly<Record<number, AnswerName | OtherAnswer>>;
  /** Statuses beside those that every operation may answer. */
  readonly refusals?: readonly number[];
}

export type Operations = Readonly<Record<string, Operation>>;

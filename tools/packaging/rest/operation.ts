import type { QueryParameter } from "./parameters.ts";
import type { AnswerName, BodyName } from "./schemas.ts";

export type OtherAnswer = "nothing" | "redirect" | "text" | "stream";

export interface Operation {
  readonly summary: string;
  readonly query?: readonly QueryParameter[];
  readonly body?: BodyName;
  readonly bodyIsOptional?: true;
  readonly answers: Readonly<Record<number, AnswerName | OtherAnswer>>;
  readonly refusals?: readonly number[];
}

export type Operations = Readonly<Record<string, Operation>>;

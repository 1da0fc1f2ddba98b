import * as z from "zod";

export interface MadeObject {
  readonly logicalName: string;
  readonly calls: number;
  readonly isGone: boolean;
}

const item = z.looseObject({
  stackName: z.object({ S: z.string() }),
  logicalName: z.object({ S: z.string() }),
  gone: z.object({ BOOL: z.boolean() }),
});
/** The adapter stores the answer to each call in its own attribute. */
const ANSWER = "answer_";

export const madeObjects = (items: readonly object[], stackName: string): readonly MadeObject[] =>
  items.flatMap((candidate) => {
    const { data } = item.safeParse(candidate);
    if (data?.stackName.S !== stackName) return [];
    const calls = Object.keys(data).filter((name) => name.startsWith(ANSWER)).length;
    return [{ logicalName: data.logicalName.S, calls, isGone: data.gone.BOOL }];
  });

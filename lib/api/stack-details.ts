/**
 * All stacks of a project with their outputs and parameters, as one text. Each can have megabytes,
 * so the text is bounded and made in turns.
 */
import { viewStack } from "#lib/engine/show-stack.ts";
import { requestLimitExceeded } from "#lib/errors.ts";
import type { Stack } from "#lib/model/stack.ts";
import { pauseIfDue } from "#lib/stack/in-turns.ts";
import type { Context } from "./context.ts";
import { stackDocument } from "./stack-view.ts";

export const DETAILS_CHARS_MAX = 16 * 1024 * 1024;
/** Read at the same time. */
const STACKS_AT_ONCE_MAX = 10;

const TOO_LONG = `the details of these stacks have more than ${DETAILS_CHARS_MAX} characters. Ask for fewer stacks with limit and marker.`;

/** 400 RequestLimitExceeded if the text is too long. */
export const stackDetails = async (
  { ports, callersUrl }: Pick<Context, "ports" | "callersUrl">,
  stacks: readonly Stack[],
): Promise<string> => {
  const texts: string[] = [];
  let characters = 0;
  for (let at = 0; at < stacks.length; at += STACKS_AT_ONCE_MAX) {
    const some = stacks.slice(at, at + STACKS_AT_ONCE_MAX).map(async (stack) => {
      await pauseIfDue(ports);
      return viewStack(ports, stack, { resolveOutputs: true });
    });
    for (const view of await Promise.all(some)) {
      await pauseIfDue(ports);
      const text = JSON.stringify(stackDocument(callersUrl, view));
      characters += text.length;
      if (characters > DETAILS_CHARS_MAX) throw requestLimitExceeded(TOO_LONG);
      texts.push(text);
    }
  }
  return `{"stacks":[${texts.join(",")}]}`;
};

/**
 * All stacks of a project with their outputs and parameters, as one text. Each can have megabytes,
 * so the text is limited and made in turns.
 */
import { type StackView, viewStack } from "#lib/engine/stacks/show-stack.ts";
import { RetryLater, requestLimitExceeded } from "#lib/errors.ts";
import type { Stack } from "#lib/model/stack.ts";
import { pauseIfDue } from "#lib/stack/in-turns.ts";
import type { Context } from "./context.ts";
import { stackDocument } from "./stack-view.ts";

/**
 * @limit answer of `GET …/stacks/detail`
 * @beyond 400 `RequestLimitExceeded`: ask for pages with `limit` and `marker`
 */
const DETAILS_CHARS_MAX = 16 * 1024 * 1024;
const STACKS_AT_ONCE_MAX = 10;

const TOO_LONG = `the details of these stacks have more than ${DETAILS_CHARS_MAX} characters. Ask for fewer stacks with limit and marker.`;

const UNREADABLE = "The template of this stack cannot be read.";

type Asking = Pick<Context, "ports" | "callersUrl"> & { readonly tenant: string };

const queues = new WeakMap<Asking["ports"], OneAtATime>();

const queueOf = (ports: Asking["ports"]): OneAtATime => {
  const known = queues.get(ports);
  if (known !== undefined) return known;
  const queue = openOneAtATime();
  queues.set(ports, queue);
  return queue;
};

export const stackDetails = (asking: Asking, stacks: readonly Stack[]): Promise<string> =>
  queueOf(asking.ports)(asking.tenant, () => makeDetails(asking, stacks));

/** One unreadable stack must not hide the others. Its own answer says why. */
const viewOfAny = async (ports: Asking["ports"], stack: Stack): Promise<StackView> => {
  try {
    return await viewStack(ports, stack, { resolveOutputs: true });
  } catch (failure) {
    if (failure instanceof RetryLater) throw failure;
    return { stack, description: UNREADABLE, parameters: {}, outputs: null };
  }
};

const makeDetails = async (
  { ports, callersUrl }: Asking,
  stacks: readonly Stack[],
): Promise<string> => {
  const texts: string[] = [];
  let characters = 0;
  // A store in this process answers at once, so several stacks would be one long turn.
  const atOnce = ports.turns === undefined ? STACKS_AT_ONCE_MAX : 1;
  for (let at = 0; at < stacks.length; at += atOnce) {
    const some = stacks.slice(at, at + atOnce).map(async (stack) => {
      await pauseIfDue(ports);
      return viewOfAny(ports, stack);
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

type OneAtATime = <Result>(project: string, work: () => Promise<Result>) => Promise<Result>;

/**
 * Runs a project's requests with large answers one after another. Otherwise many half-made answers
 * would be in memory at once. Other projects do not wait for them.
 */
export const openOneAtATime = (): OneAtATime => {
  const last = new Map<string, Promise<unknown>>();
  return async (project, work) => {
    const former = last.get(project) ?? Promise.resolve();
    const own = former.then(work, work);
    last.set(project, own);
    try {
      return await own;
    } finally {
      if (last.get(project) === own) last.delete(project);
    }
  };
};

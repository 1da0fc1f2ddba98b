/** Shows an operation until it ends, and says how it ended. */
import { stackPath } from "#client/client.ts";
import { pause } from "#client/pause.ts";
import {
  lastEventId,
  type StackOperation,
  type Watcher,
  waitForStack,
  watchStack,
} from "#client/wait.ts";
import { CreatedAnswer, StackAnswer, type WireStack } from "#client/wire.ts";
import { mergedMaps } from "#lib/json.ts";
import { CommandFailed, EXIT_FAILED, EXIT_INTERRUPTED } from "../failure.ts";
import { ageText, stackLines } from "../print.ts";
import type { Session } from "../session.ts";
import { openDisplay } from "./watchers.ts";

interface Request extends Pick<StackOperation, "verb"> {
  readonly wait: boolean;
}

export interface EndReport {
  readonly document: Readonly<Record<string, unknown>>;
  readonly lines: readonly string[];
}

type Report = (stack: WireStack) => Promise<EndReport>;

const NO_REPORT: Report = async () => ({ document: {}, lines: [] });

export const makeStack = async (
  session: Session,
  { verb, wait }: Request,
  body: { readonly stack_name: string; readonly [field: string]: unknown },
): Promise<void> => {
  const created = await session.client.request("POST", "/stacks", CreatedAnswer, body);
  if (!wait) return session.print(created, () => [created.stack.id]);
  const stack = { id: created.stack.id, stack_name: body.stack_name };
  await followOperation(session, { stack, verb, marker: null, goodEnds: [`${verb}_COMPLETE`] });
};

export const operate = async (
  session: Session,
  stack: WireStack,
  { verb, wait, goodEnds = [`${verb}_COMPLETE`] }: Request & Partial<StackOperation>,
  send: () => Promise<unknown>,
  report: Report = NO_REPORT,
): Promise<void> => {
  const marker = await lastEventId(session.client, stack, pause);
  await send();
  if (!wait) return session.print({ stack: { id: stack.id } }, () => [stack.id]);
  await followOperation(session, { stack, verb, marker, goodEnds }, report);
};

export const followOperation = async (
  session: Session,
  operation: StackOperation,
  report: Report = NO_REPORT,
): Promise<void> => {
  const ended = await waitForEnd(session, operation, report);
  return ended === null || operation.verb === "DELETE"
    ? session.print(ended === null ? {} : { stack: ended }, () => [])
    : showEnd(session, operation.stack, report);
};

/** @returns null when the stack no longer exists. */
export const waitForEnd = async (
  session: Session,
  operation: StackOperation,
  report: Report = NO_REPORT,
): Promise<WireStack | null> => {
  const { stack_name: name } = operation.stack;
  const { end, stopper } = await shown(session, (display, stop) =>
    waitForStack(session.client, operation, display, stop),
  );
  const verb = operation.verb.toLowerCase();
  switch (end.kind) {
    case "complete":
      return end.stack;
    case "failed":
      await showFailed(session, end.stack, report);
      throw new CommandFailed(
        `The ${verb} of ${name} ended as ${end.stack.stack_status}: ${end.reason.trimEnd()}${whereToLook(end.stack, end.reason)}`,
      );
    case "overtaken":
      throw new CommandFailed(
        `The ${verb} of ${name} was overtaken by another operation (${end.by}). "hearth stack events --follow ${name}" shows that one.`,
      );
    case "interrupted":
      throw new CommandFailed(
        `${stopper.why()}; the ${verb} of ${name} goes on. ${whereItGoesOn(name)}`,
        stopper.exitCode(),
      );
  }
};

const whereItGoesOn = (name: string): string =>
  `"hearth stack diagnose ${name}" says what it waits for, and "hearth stack watch ${name}" shows the rest.`;

/** After a rollback no resource is FAILED any more, so there is nothing to look at. */
const whereToLook = ({ stack_name: name, stack_status: status }: WireStack, reason: string) => {
  if (!status.endsWith("_FAILED")) return "";
  const logs = logCommand(name, reason);
  const log = logs === null ? "" : `\n"${logs}" shows what it has printed.`;
  return `${log}\n"hearth stack diagnose ${name}" says of each resource why it is not done.`;
};

export const showEnd = async (
  session: Session,
  stack: StackOperation["stack"],
  report: Report,
): Promise<void> => {
  const answer = await session.client.request("GET", stackPath(stack), StackAnswer);
  const { document, lines } = await report(answer.stack);
  session.print(mergedMaps<unknown>(answer, document), () => [
    ...stackLines(answer.stack),
    ...lines,
  ]);
};

const showFailed = async (session: Session, stack: WireStack, report: Report): Promise<void> => {
  const { document, lines } = await report(stack);
  session.print(mergedMaps<unknown>({ stack }, document), () => lines);
};

/** Heat's words, as in `resources.group.resources[0].resources.run: Deployment …`. */
const FAILED = ": Deployment to server failed: ";
const PLACE = /^(?:\.?resources(?:\.[\w-]+|\[[^\]]+\]))+$/;
const NAME = /resources(?:\.([\w-]+)|\[["']?([^\]"']+)["']?\])/g;

export const logCommand = (stackName: string, reason: string): string | null => {
  const [before = "", ...after] = reason.split(FAILED);
  const place = before.slice(before.lastIndexOf(" ") + 1);
  if (after.length === 0 || !PLACE.test(place)) return null;
  const names = [...place.matchAll(NAME)].map(([, plain, quoted]) => plain ?? quoted);
  return `hearth deployment logs ${stackName} ${names.join("/")} --stderr`;
};

export const watchUntilItEnds = async (session: Session, stack: WireStack): Promise<void> => {
  const { stack_name: name } = stack;
  const { end, stopper } = await shown(session, (display, stop) =>
    watchStack(session.client, stack, display, stop),
  );
  if (end === null) {
    throw new CommandFailed(
      `${stopper.why()}; ${name} goes on. ${whereItGoesOn(name)}`,
      stopper.exitCode(),
    );
  }
  if (end.stack === null) return session.print({}, () => [`${name} is deleted.`]);
  const { stack_status: status, stack_status_reason: reason } = end.stack;
  session.print({ stack: end.stack }, () => [`${name} is ${status}.`]);
  if (status.endsWith("_FAILED")) throw new CommandFailed(reason || `${name} is ${status}.`);
};

const shown = async <End>(
  session: Session,
  wait: (display: Watcher, stop: AbortSignal) => Promise<End>,
) => {
  const display = openDisplay(session.client, session);
  const stopper = openStopper(session.waitMsMax);
  try {
    return { end: await wait(display, stopper.signal), stopper };
  } finally {
    stopper.close();
    display.done();
  }
};

/** Ends a wait before the operation ends: on Ctrl-C, or after --wait-timeout. */
const openStopper = (waitMsMax: number | null) => {
  const stopper = new AbortController();
  let isLate = false;
  const interrupt = (): void => stopper.abort();
  const giveUp = (): void => {
    isLate = true;
    stopper.abort();
  };
  process.once("SIGINT", interrupt);
  const timer = waitMsMax === null ? undefined : setTimeout(giveUp, waitMsMax);
  return {
    signal: stopper.signal,
    why: () => (isLate ? `Stopped waiting after ${ageText(waitMsMax ?? 0)}` : "Stopped waiting"),
    exitCode: () => (isLate ? EXIT_FAILED : EXIT_INTERRUPTED),
    close: () => {
      clearTimeout(timer);
      process.off("SIGINT", interrupt);
    },
  };
};

import { watchStack } from "#client/wait.ts";
import type { WireStack } from "#client/wire.ts";
import { CommandFailed } from "./failure.ts";
import { whereItGoesOn } from "./follow.ts";
import type { Session } from "./session.ts";
import { openStopper } from "./stopper.ts";
import { openDisplay } from "./watchers.ts";

export const watch = async (session: Session, stack: WireStack): Promise<void> => {
  const { stack_name: name } = stack;
  const display = openDisplay(session.client, session);
  const stopper = openStopper(session);
  const end = await watchStack(session.client, stack, display, stopper.signal).finally(() => {
    stopper.close();
    display.done();
  });
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

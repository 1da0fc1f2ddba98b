/** How the types of a provider reach its back-end, and what a poll of one does. */
import type { Answer, Call, ObjectCall, ProvidedType, WaitingCall } from "#provider/provider.ts";

/** A call with what its provider needs for it, such as the client of the project's account. */
export type At<Context, Given = Call> = Context & { readonly call: Given };

/** A call that may be a poll, whose handle it then has. */
export type Step = ObjectCall & { readonly handle?: string };

/** What a type does in each call. A poll repeats the call, unless the type names another step. */
export interface Steps<Context> {
  readonly create: (at: At<Context>) => Promise<Answer>;
  readonly created?: (at: At<Context, WaitingCall>) => Promise<Answer>;
  readonly find?: (at: At<Context>) => Promise<Answer | null>;
  readonly update?: (at: At<Context, Step>) => Promise<Answer>;
  readonly updated?: (at: At<Context, WaitingCall>) => Promise<Answer>;
  readonly remove: (at: At<Context, Step>) => Promise<Answer>;
  readonly removed?: (at: At<Context, WaitingCall>) => Promise<Answer>;
  readonly check: (at: At<Context, ObjectCall>) => Promise<Answer>;
  readonly suspend?: (at: At<Context, Step>) => Promise<Answer>;
  readonly resume?: (at: At<Context, Step>) => Promise<Answer>;
}

/** Makes the context of a call, and turns what the back-end throws into an answer. */
export type Ask<Context> = <Given extends Call, Found>(
  call: Given,
  work: (at: At<Context, Given>) => Promise<Found>,
) => Promise<Found | Answer>;

const polled = <Context>(at: At<Context, WaitingCall>, steps: Steps<Context>): Promise<Answer> => {
  const { create, created = create, update, updated = update, remove, removed = remove } = steps;
  const { check, suspend, resume } = steps;
  const others = { CHECK: check, SUSPEND: suspend, RESUME: resume, SNAPSHOT: undefined };
  const work = { CREATE: created, UPDATE: updated, DELETE: removed, ...others }[at.call.action];
  return (work ?? check)(at);
};

/** For a type whose operations have all ended with their first answer. */
export const stepsAtOnce = <Context>(ask: Ask<Context>, steps: Steps<Context>) => {
  const by =
    <Given extends Call, Found>(work: (at: At<Context, Given>) => Promise<Found>) =>
    (call: Given): Promise<Found | Answer> =>
      ask(call, work);
  const { find, update, suspend, resume } = steps;
  return {
    create: by(steps.create),
    find: find && by(find),
    update: update && by(update),
    delete: by(steps.remove),
    check: by(steps.check),
    suspend: suspend && by(suspend),
    resume: resume && by(resume),
  } satisfies Partial<ProvidedType>;
};

export const stepsBy = <Context>(ask: Ask<Context>, steps: Steps<Context>) => ({
  ...stepsAtOnce(ask, steps),
  poll: (call: WaitingCall) => ask(call, (at: At<Context, WaitingCall>) => polled(at, steps)),
  cancel: async () => undefined,
});

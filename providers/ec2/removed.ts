/** How an object of EC2 goes: a delete waits until EC2 no longer knows it. */
import type { Tag } from "@aws-sdk/client-ec2";
import type { Answer, ObjectCall, WaitingCall } from "#provider/provider.ts";
import { Refused } from "#providers/cloud-control/client.ts";
import { type Ec2Account, isMissing, LOOKS, type Pace } from "./account.ts";
import { isOfProject } from "./tags.ts";

const BUSY: ReadonlySet<string> = new Set([
  "DependencyViolation",
  "InvalidGroup.InUse",
  "IncorrectState",
  "VolumeInUse",
  "InvalidIPAddress.InUse",
  "InvalidNetworkInterface.InUse",
]);
/** EC2 has no code of its own for an interface that is still attached. */
const BUSY_TEXT = /in use/;

const isBusy = (error: unknown): boolean =>
  error instanceof Refused && (BUSY.has(error.code) || BUSY_TEXT.test(error.message));

const UNSEEN = "unseen";

/** An object that has never been seen may be too new, so it is looked for some more times. */
export const unseen = (pace: Pace, call: ObjectCall | WaitingCall): Answer => {
  const [what, looks = "0"] = "handle" in call ? call.handle.split(" ") : [UNSEEN];
  if (what !== UNSEEN || Number(looks) === LOOKS) return { state: "finished" };
  const handle = `${UNSEEN} ${Number(looks) + 1}`;
  const { physicalId } = call;
  return { state: "waiting", physicalId, handle, pollAfterSeconds: pace.settle / LOOKS };
};

export interface Removal {
  /** The object's tags. Null: EC2 does not know it, or not yet. */
  readonly look: () => Promise<readonly Tag[] | null>;
  readonly remove: () => Promise<unknown>;
}

/** Begins a delete, and goes on with it at each poll. What others still use is asked for again. */
export const removed = async (
  { pace }: Ec2Account,
  call: ObjectCall | WaitingCall,
  { look, remove }: Removal,
): Promise<Answer> => {
  const { physicalId } = call;
  const tags = await look();
  if (tags === null) return unseen(pace, call);
  if (!isOfProject(tags, call.tenant)) return { state: "finished" };
  try {
    await remove();
  } catch (error) {
    if (!isBusy(error) && !isMissing(error)) throw error;
  }
  return { state: "waiting", physicalId, handle: "asked", pollAfterSeconds: pace.poll };
};

import type { Tag } from "@aws-sdk/client-ec2";
import type { Answer, Failed } from "#provider/provider.ts";
import { CALL_SECONDS_MAX } from "#provider/read-provider.ts";
import { asked, Refused } from "#providers/cloud-control/client.ts";
import { type RefusedProperty, refusedBy } from "#providers/server-provider.ts";
import { type Step, type Steps, stepsBy } from "#providers/steps.ts";
import {
  type At,
  callIn,
  type Ec2Account,
  type Ec2Accounts,
  Impossible,
  type InAccount,
  isMissing,
  LOOKS,
} from "./account.ts";
import { isOfProject } from "./tags.ts";

export const stepsIn = (accounts: Ec2Accounts, steps: Steps<InAccount>) => ({
  callSecondsMax: CALL_SECONDS_MAX,
  ...stepsBy<InAccount>(async (call, work) => {
    try {
      return await asked(async () => work(callIn(await accounts(call.tenant), call)));
    } catch (error) {
      if (error instanceof Impossible) return failed(error.message);
      throw error;
    }
  }, steps),
});

/** Throws Impossible, whose message the user sees. */
export const expectPossible = (wrong: RefusedProperty | null): void => {
  if (wrong !== null) throw new Impossible(refusedBy("EC2", wrong));
};

export const failed = (reason: string): Failed => ({ state: "failed", reason });

export const differs = (reason: string): Failed => ({ ...failed(reason), health: "differs" });

export const looksAgain = (
  { pace }: Ec2Account,
  physicalId: string,
  handle = physicalId,
  pollAfterSeconds = pace.poll,
): Answer => ({ state: "waiting", physicalId, handle, pollAfterSeconds });

const BUSY: ReadonlySet<string> = new Set([
  "DependencyViolation",
  "InvalidGroup.InUse",
  "IncorrectState",
  "VolumeInUse",
  "InvalidIPAddress.InUse",
  "InvalidNetworkInterface.InUse",
]);
/** EC2 has no code for an interface that is still attached. */
const BUSY_TEXT = /in use/;

export const isBusy = (error: unknown): error is Refused =>
  error instanceof Refused && (BUSY.has(error.code) || BUSY_TEXT.test(error.message));

const IN_USE = "busy";
/** Whatever still uses the object after this time may never end. */
const IN_USE_MS_MAX = 1_800_000;

const inUse = (at: At<Step>, { code, message }: Refused): Answer => {
  const { physicalId, handle = "" } = at.call;
  const [what, since] = handle.split(" ");
  const first = what === IN_USE ? Number(since) : Date.now();
  return Date.now() - first > IN_USE_MS_MAX
    ? failed(`AWS: ${code}: ${message}`)
    : looksAgain(at, physicalId, `${IN_USE} ${first}`);
};

const UNSEEN = "unseen";

/** An object that was never seen may be too new, so the delete looks again before it succeeds. */
export const unseen = (at: At<Step>): Answer => {
  const { physicalId, handle = UNSEEN } = at.call;
  const [what, looks = "0"] = handle.split(" ");
  if (what !== UNSEEN || Number(looks) === LOOKS) return { state: "finished" };
  const next = `${UNSEEN} ${Number(looks) + 1}`;
  return looksAgain(at, physicalId, next, at.pace.settle / LOOKS);
};

export interface Removal {
  readonly look: () => Promise<readonly Tag[] | null>;
  readonly remove: () => Promise<unknown>;
}

export const removed = async (at: At<Step>, { look, remove }: Removal): Promise<Answer> => {
  const tags = await look();
  if (tags === null) return unseen(at);
  if (!isOfProject(tags, at.call.tenant)) return { state: "finished" };
  try {
    await remove();
  } catch (error) {
    if (isBusy(error)) return inUse(at, error);
    if (!isMissing(error)) throw error;
  }
  return looksAgain(at, at.call.physicalId, "asked");
};

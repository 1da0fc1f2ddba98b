import type { Tag } from "@aws-sdk/client-ec2";
import type { Answer, Call, Failed, ObjectCall, WaitingCall } from "#provider/provider.ts";
import { asked, Refused } from "#providers/cloud-control/client.ts";
import {
  type Ec2Account,
  type Ec2Accounts,
  Impossible,
  isMissing,
  LOOKS,
  type Pace,
} from "./account.ts";
import { isOfProject } from "./tags.ts";

export const inAccount =
  <Given extends Call, Found extends Answer | null>(
    accounts: Ec2Accounts,
    work: (account: Ec2Account, call: Given) => Promise<Found>,
  ) =>
  async (call: Given): Promise<Found | Answer> => {
    try {
      return await asked(async () => work(accounts(call.tenant), call));
    } catch (error) {
      if (error instanceof Impossible) return failed(error.message);
      throw error;
    }
  };

export const failed = (reason: string): Failed => ({ state: "failed", reason });

export const differs = (reason: string): Failed => ({ ...failed(reason), health: "differs" });

export const looksAgain = ({ pace }: Ec2Account, physicalId: string, handle: string): Answer => ({
  state: "waiting",
  physicalId,
  handle,
  pollAfterSeconds: pace.poll,
});

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

const inUse = (pace: Pace, call: ObjectCall | WaitingCall, { code, message }: Refused): Answer => {
  const { physicalId } = call;
  const [what, since] = "handle" in call ? call.handle.split(" ") : [];
  const first = what === IN_USE ? Number(since) : Date.now();
  if (Date.now() - first > IN_USE_MS_MAX) {
    return { state: "failed", reason: `AWS: ${code}: ${message}` };
  }
  return {
    state: "waiting",
    physicalId,
    handle: `${IN_USE} ${first}`,
    pollAfterSeconds: pace.poll,
  };
};

const UNSEEN = "unseen";

/** An object that was never seen may be too new, so the delete looks again before it succeeds. */
export const unseen = (pace: Pace, call: ObjectCall | WaitingCall): Answer => {
  const [what, looks = "0"] = "handle" in call ? call.handle.split(" ") : [UNSEEN];
  if (what !== UNSEEN || Number(looks) === LOOKS) return { state: "finished" };
  const handle = `${UNSEEN} ${Number(looks) + 1}`;
  const { physicalId } = call;
  return { state: "waiting", physicalId, handle, pollAfterSeconds: pace.settle / LOOKS };
};

export interface Removal {
  readonly look: () => Promise<readonly Tag[] | null>;
  readonly remove: () => Promise<unknown>;
}

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
    if (isBusy(error)) return inUse(pace, call, error);
    if (!isMissing(error)) throw error;
  }
  return { state: "waiting", physicalId, handle: "asked", pollAfterSeconds: pace.poll };
};

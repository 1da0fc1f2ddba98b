import type { EC2 } from "@aws-sdk/client-ec2";
import type { Call } from "#provider/provider.ts";
import type { ServerSettings } from "#providers/cloud-control/account/roles.ts";
import { Refused } from "#providers/cloud-control/client.ts";
import type { At as CallAt } from "#providers/steps.ts";

/** Delays in seconds. */
export interface Pace {
  readonly again: number;
  readonly poll: number;
  /** Until a new object is visible everywhere in AWS. AWS documents no limit. */
  readonly settle: number;
}

export const PACE: Pace = { again: 2, poll: 3, settle: 15 };

/** Within `settle` a missing object is looked for this often. */
export const LOOKS = 3;

export interface Ec2Account {
  /** Its calls throw Refused or TryAgain. */
  readonly ec2: EC2;
  readonly settings: ServerSettings;
  readonly pace: Pace;
}

/** The account of a project, which may be opened only now. Throws NoRole. */
export type Ec2Accounts = (tenant: string) => Ec2Account | Promise<Ec2Account>;

export type Caller = Pick<Call, "tenant" | "signal">;

/** What a call in an account has besides itself. */
export interface InAccount extends Ec2Account {
  readonly abort: { readonly abortSignal: AbortSignal };
}

/** Looking for objects needs only the caller. */
export type At<Given extends Caller = Call> = CallAt<InAccount, Given>;

export const callIn = <Given extends Caller>(account: Ec2Account, call: Given): At<Given> => ({
  ...account,
  call,
  abort: { abortSignal: call.signal },
});

/** The template asks for something that does not exist or cannot be. Users see the message. */
export class Impossible extends Error {
  override readonly name = "Impossible";
}

/** EC2 has one such code for each kind of object, and older codes with other words. */
const MISSING = /NotFound$|^InvalidKeyPair\.NotFound$|^InvalidAllocationID|Malformed$/;

export const isMissing = (error: unknown): boolean =>
  error instanceof Refused && MISSING.test(error.code);

export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Refused && codes.includes(error.code);

/** The token belongs to a call with other parameters. */
export const MISMATCH = "IdempotentParameterMismatch";

/** For calls whose effect is checked afterwards: these errors can be ignored. */
export const ignoring =
  (isExpected: (error: unknown) => boolean) =>
  async (work: Promise<unknown>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      if (!isExpected(error)) throw error;
    }
  };

export const orMissing = async <Found>(work: Promise<Found>): Promise<Found | null> => {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
};

const pause = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1_000);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Looks again after a miss, because a call that broke off may still take effect. */
export const foundLater = async <Found>(
  { pace, call }: At<Caller>,
  look: () => Promise<Found | null>,
): Promise<Found | null> => {
  let found = await look();
  for (let looks = 0; found === null && looks < LOOKS; looks += 1) {
    await pause(pace.settle / LOOKS, call.signal);
    found = await look();
  }
  return found;
};

/** A new object may not be visible everywhere in EC2. So a miss is tried once more. */
export const patiently = async <Found>(
  { pace, call }: At<Caller>,
  work: () => Promise<Found>,
): Promise<Found> => {
  try {
    return await work();
  } catch (error) {
    if (!isMissing(error)) throw error;
    await pause(pace.settle, call.signal);
    return work();
  }
};

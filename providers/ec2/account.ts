/**
 * EC2 through AWS's own client, under the role of a project. The client comes from an optional
 * package, which is loaded when the host starts with a project that has servers.
 */
import type { EC2 } from "@aws-sdk/client-ec2";
import type { Role, ServerSettings } from "#providers/cloud-control/account/roles.ts";
import { sdkError } from "#providers/cloud-control/account/sdk-errors.ts";
import {
  ATTEMPTS,
  askingFor,
  REQUESTS,
  sessionOf,
} from "#providers/cloud-control/account/session.ts";
import { Refused } from "#providers/cloud-control/client.ts";

/** How long Hearth waits, in seconds. */
export interface Pace {
  /** Before a call that was throttled or not answered comes again. */
  readonly again: number;
  /** Between two looks at an object that changes. */
  readonly poll: number;
  /** Until all of AWS has seen what was made. AWS names no limit. */
  readonly settle: number;
}

export const PACE: Pace = { again: 2, poll: 3, settle: 15 };

/** During the time of `settle`, after the first one. */
export const LOOKS = 3;

export interface Ec2Account {
  /** Its calls throw Refused or TryAgain. */
  readonly ec2: EC2;
  readonly settings: ServerSettings;
  readonly pace: Pace;
}

/** Which account a project acts in. Throws NoRole. */
export type Ec2Accounts = (tenant: string) => Ec2Account;

/** `project`: for the name of its sessions. Throws if the package is not installed. */
export const openEc2 = async (
  project: string,
  role: Role,
  settings: ServerSettings,
  pace: Pace = PACE,
): Promise<Ec2Account> => {
  const sdk = await import("@aws-sdk/client-ec2");
  const ec2 = new sdk.EC2({
    region: role.region,
    credentials: await sessionOf(project, role, askingFor(pace.again)),
    maxAttempts: ATTEMPTS,
    requestHandler: REQUESTS,
  });
  ec2.middlewareStack.add(
    (next) => async (given) => {
      try {
        return await next(given);
      } catch (error) {
        throw sdkError(error, pace.again);
      }
    },
    { step: "initialize", name: "errorsOfHearth" },
  );
  return { ec2, settings, pace };
};

/** The template asks for what is not there, or cannot be. The message is for its author. */
export class Impossible extends Error {
  override readonly name = "Impossible";
}

/** EC2 has one such code for each kind of object, and older ones with other words. */
const MISSING = /NotFound$|^InvalidKeyPair\.NotFound$|^InvalidAllocationID|Malformed$/;

export const isMissing = (error: unknown): boolean =>
  error instanceof Refused && MISSING.test(error.code);

export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  error instanceof Refused && codes.includes(error.code);

/** With a token of another call. */
export const MISMATCH = "IdempotentParameterMismatch";

/** For calls whose effect is looked at afterwards: these errors are none. */
export const ignoring =
  (isExpected: (error: unknown) => boolean) =>
  async (work: Promise<unknown>): Promise<void> => {
    try {
      await work;
    } catch (error) {
      if (!isExpected(error)) throw error;
    }
  };

/** Null: EC2 does not know the object, or not yet. */
export const orMissing = async <Found>(work: Promise<Found>): Promise<Found | null> => {
  try {
    return await work;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
};

/** Ends early if nobody waits for the call any more. */
const pause = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1_000);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** What a call that broke off has made. It may still take effect, so a miss is looked at again. */
export const foundLater = async <Found>(
  { pace }: Ec2Account,
  signal: AbortSignal,
  look: () => Promise<Found | null>,
): Promise<Found | null> => {
  let found = await look();
  for (let looks = 0; found === null && looks < LOOKS; looks += 1) {
    await pause(pace.settle / LOOKS, signal);
    found = await look();
  }
  return found;
};

/** What was made a moment ago may not be known everywhere. So a miss is asked about once more. */
export const patiently = async <Found>(
  { pace }: Ec2Account,
  signal: AbortSignal,
  work: () => Promise<Found>,
): Promise<Found> => {
  try {
    return await work();
  } catch (error) {
    if (!isMissing(error)) throw error;
    await pause(pace.settle, signal);
    return work();
  }
};

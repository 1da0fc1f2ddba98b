/**
 * EC2 through AWS's client, under the role of a project. The client is an optional package, which
 * is loaded when a project has servers. Functions that make no calls do not import this module.
 */
import type { Role, ServerSettings } from "#providers/cloud-control/account/roles.ts";
import {
  ATTEMPTS,
  askingFor,
  REQUESTS,
  sdkError,
  sessionOf,
} from "#providers/cloud-control/account/session.ts";
import { type Ec2Account, PACE, type Pace } from "./account.ts";

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

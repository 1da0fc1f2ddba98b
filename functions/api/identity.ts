/** Whose request it is. The gateway has checked the credential; here it becomes a project. */
import type { APIGatewayProxyEvent } from "aws-lambda";
import { IAM_BASE, principalOf } from "#functions/authorizer/principal.ts";
import { forbidden } from "#lib/errors.ts";

export interface Caller {
  /** As the router knows it. */
  readonly path: string;
  /** What stands before it in the URLs that this caller reaches, such as `/iam`; mostly nothing. */
  readonly base: string;
  /** Absent: nobody was asked for a credential. */
  readonly tenant?: string;
}

/** Throws 403 for whom it does not know. */
export type Identify = (event: APIGatewayProxyEvent) => Caller;

/** For the embedded host, which only this machine reaches and which asks for no credential. */
export const anybody: Identify = ({ path }) => ({ path, base: "" });

/**
 * For the cloud: the project that the authorizer found, or the one of the IAM principal. Whoever has neither
 * learns of the versions and nothing else, so that a gateway that was set up wrongly opens nothing.
 */
export const knownCaller =
  (iamTenants: Readonly<Record<string, string>>): Identify =>
  ({ path, requestContext: { authorizer, identity } }) => {
    const tenant: unknown = authorizer?.["tenant"];
    if (typeof tenant === "string") return { path, base: "", tenant };
    if (path.startsWith(`${IAM_BASE}/`)) {
      const principal = principalOf(identity.userArn ?? "");
      const mapped = principal !== null && Object.hasOwn(iamTenants, principal);
      if (!mapped) throw forbidden("You are not authorized to use this project.");
      return {
        path: path.slice(IAM_BASE.length),
        base: IAM_BASE,
        tenant: iamTenants[principal] ?? "",
      };
    }
    if (path === "/") return { path, base: "" };
    throw forbidden("You are not authorized to use this project.");
  };

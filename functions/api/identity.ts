/** The tenant of a request. The gateway has checked the credential; here it becomes a project. */
import type { APIGatewayProxyEvent } from "aws-lambda";
import { projectOf } from "#functions/authorizer/credential.ts";
import { IAM_BASE, principalOf } from "#functions/authorizer/principal.ts";
import { TENANT } from "#lib/api/tenant.ts";
import { forbidden } from "#lib/errors.ts";
import type { Rights } from "#lib/ports/api-tokens.ts";

type Authorizer = APIGatewayProxyEvent["requestContext"]["authorizer"];

export interface Caller {
  /** The path as the router reads it. */
  readonly path: string;
  /** The path prefix of this caller's URLs, such as `/iam`. Usually empty. */
  readonly base: string;
  /** Absent when no credential was required. */
  readonly tenant?: string;
  /** Who sends the request, as Stack.actor. Absent when no credential was required. */
  readonly actor?: string;
  /** What the token may do there. Absent: everything. */
  readonly rights?: Rights;
}

/** The gateway opens them to everybody: the list of versions, and this version. */
export const OPEN_PATHS: readonly string[] = ["/", "/v1"];

/** Throws 403 for an unknown caller. */
export type Identify = (event: APIGatewayProxyEvent) => Caller;

/** For the embedded host. Only this machine reaches it, and it asks for no credential. */
export const anybody: Identify = ({ path }) => ({ path, base: "" });

const tokenIn = (authorizer: Authorizer): Pick<Caller, "actor"> => {
  const tokenId: unknown = authorizer?.["tokenId"];
  return typeof tokenId === "string" ? { actor: `token:${tokenId}` } : {};
};

/** API Gateway makes texts of what an authorizer hands on. */
const rightsIn = (authorizer: Authorizer): Rights => {
  const mayOnlyRead: unknown = authorizer?.["mayOnlyRead"];
  const stack: unknown = authorizer?.["stack"];
  return {
    ...(mayOnlyRead === undefined ? {} : { mayOnlyRead: String(mayOnlyRead) !== "false" }),
    ...(stack === undefined ? {} : { stack: String(stack) }),
  };
};

/**
 * For AWS: the project that the authorizer found, or the project of the IAM principal. A caller
 * with neither sees only the API versions, so a misconfigured gateway opens nothing.
 */
export const knownCaller =
  (iamTenants: Readonly<Record<string, string>>): Identify =>
  ({ path, requestContext: { authorizer, identity } }) => {
    const tenant: unknown = authorizer?.["tenant"];
    if (typeof tenant === "string")
      return { path, base: "", tenant, ...tokenIn(authorizer), rights: rightsIn(authorizer) };
    if (path.startsWith(`${IAM_BASE}/`)) {
      const principal = principalOf(identity.userArn ?? "");
      const mapped = principal !== null && Object.hasOwn(iamTenants, principal);
      if (!mapped) throw forbidden("You are not authorized to use this project.");
      return {
        path: path.slice(IAM_BASE.length),
        base: IAM_BASE,
        tenant: iamTenants[principal] ?? "",
        actor: `iam:${principal}`,
      };
    }
    if (OPEN_PATHS.includes(path)) return { path, base: "" };
    throw forbidden("You are not authorized to use this project.");
  };

/** The tenant that sends the request. Null: the request names none, or no valid one. */
export const tenantOf = ({ tenant, path }: Caller): string | null => {
  const project = tenant ?? projectOf(path);
  return project !== null && TENANT.test(project) ? project : null;
};

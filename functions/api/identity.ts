/** Determines the tenant of a request. The gateway has already checked the credential. */
import type { APIGatewayProxyEvent } from "aws-lambda";
import { projectOf } from "#functions/authorizer/credential.ts";
import { IAM_BASE, principalOf } from "#functions/authorizer/principal.ts";
import { TENANT } from "#lib/api/tenant.ts";
import { forbidden } from "#lib/errors.ts";
import type { Rights } from "#lib/ports/ports.ts";

type Authorizer = APIGatewayProxyEvent["requestContext"]["authorizer"];

export interface Caller {
  readonly path: string;
  readonly base: string;
  readonly tenant?: string;
  /** The caller, in the form of Stack.actor. It is absent if no credential was required. */
  readonly actor?: string;
  readonly rights?: Rights;
}

/** Paths that the gateway opens to everybody: the list of versions, and this version. */
export const OPEN_PATHS: readonly string[] = ["/", "/v1"];

export type Identify = (event: APIGatewayProxyEvent) => Caller;

export const anybody: Identify = ({ path }) => ({ path, base: "" });

const tokenIn = (authorizer: Authorizer): Pick<Caller, "actor"> => {
  const tokenId: unknown = authorizer?.["tokenId"];
  return typeof tokenId === "string" ? { actor: `token:${tokenId}` } : {};
};

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

export const tenantOf = ({ tenant, path }: Caller): string | null => {
  const project = tenant ?? projectOf(path);
  return project !== null && TENANT.test(project) ? project : null;
};

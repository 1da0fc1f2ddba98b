/** Determines the tenant of a request. The gateway has already checked the credential. */
import type { APIGatewayProxyEvent } from "aws-lambda";
import * as z from "zod";
import { projectOf } from "#functions/authorizer/credential.ts";
import { IAM_BASE, principalOf } from "#functions/authorizer/principal.ts";
import { TENANT } from "#lib/api/tenant.ts";
import { forbidden } from "#lib/errors.ts";
import type { Rights } from "#lib/ports/ports.ts";

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

/** What the authorizer says of a token. API Gateway may turn each value into a text. */
const grantedSchema = z.object({
  tenant: z.string(),
  tokenId: z.string().optional().catch(undefined),
  mayOnlyRead: z.exactOptional(z.unknown().transform((value) => String(value) !== "false")),
  stack: z.exactOptional(z.unknown().transform(String)),
});

/**
 * For AWS: the project that the authorizer found, or the project of the IAM principal. A caller
 * with neither sees only the API versions, so a misconfigured gateway opens nothing.
 */
export const knownCaller =
  (iamTenants: Readonly<Record<string, string>>): Identify =>
  ({ path, requestContext: { authorizer, identity } }) => {
    const granted = grantedSchema.safeParse(authorizer).data;
    if (granted !== undefined) {
      const { tenant, tokenId, ...rights } = granted;
      const actor = tokenId === undefined ? {} : { actor: `token:${tokenId}` };
      return { path, base: "", tenant, ...actor, rights };
    }
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

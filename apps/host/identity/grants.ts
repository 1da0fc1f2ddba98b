/**
 * Which secrets the Keystone imitation accepts, and how a client sends them: API tokens.
 *
 * Parses the body of Keystone's `POST /v3/auth/tokens`. The password is an API token of the host,
 * and any user name is accepted. The secret of an application credential is an API token too.
 */
import * as z from "zod";
import { tokenHash, tokenId } from "#functions/authorizer/credential.ts";
import { TENANT } from "#lib/api/tenant.ts";
import type { Json } from "#lib/json.ts";
import type { Clock, TokenStore } from "#lib/ports/ports.ts";

const Named = z.object({ id: z.string().optional(), name: z.string().optional() });

const Password = z.object({
  user: Named.extend({ password: z.string() }),
});
const Token = z.object({ id: z.string() });
const ApplicationCredential = Named.extend({ secret: z.string() });

export const AuthRequest = z.object({
  auth: z.object({
    identity: z.object({
      methods: z.array(z.string()).min(1),
      password: Password.optional(),
      token: Token.optional(),
      application_credential: ApplicationCredential.optional(),
    }),
    scope: z.union([z.literal("unscoped"), z.object({ project: Named.optional() })]).optional(),
  }),
});

export interface AuthRequest {
  readonly methods: readonly string[];
  readonly secret: string;
  readonly user: string | null;
  readonly project: string | null;
}

type Identity = z.infer<typeof AuthRequest>["auth"]["identity"];

const nameOf = ({ name, id }: z.infer<typeof Named>): string | null => name ?? id ?? null;

const credentialOf = (identity: Identity): Pick<AuthRequest, "secret" | "user"> | null => {
  const { methods, password, token, application_credential: application } = identity;
  if (methods.includes("password") && password) {
    return { secret: password.user.password, user: nameOf(password.user) };
  }
  if (methods.includes("application_credential") && application) {
    return { secret: application.secret, user: nameOf(application) };
  }
  return methods.includes("token") && token ? { secret: token.id, user: null } : null;
};

/**
 * The values are left out of errors, because they may be secrets.
 * @returns null if Keystone would answer 400
 */
export const readAuthRequest = (body: Json): AuthRequest | null => {
  const parsed = AuthRequest.safeParse(body);
  if (!parsed.success) return null;
  const { identity, scope } = parsed.data.auth;
  const credential = credentialOf(identity);
  if (credential === null) return null;
  const project = typeof scope === "object" ? scope.project : undefined;
  return { methods: identity.methods, ...credential, project: project ? nameOf(project) : null };
};

export interface Grant {
  readonly project: string;
  readonly token: string;
  readonly user: string;
  readonly expiresAt: number | null;
}

/** @returns null if the secret is unknown, has expired, or belongs to another project */
export type FindGrant = (secret: string, project: string | null) => Promise<Grant | null>;

/**
 * For a host that demands tokens. A token belongs to one project, so the client need not name it.
 */
export const grantsOfTokens =
  (tokens: TokenStore, clock: Clock): FindGrant =>
  async (secret, project) => {
    const hash = tokenHash(secret);
    const record = await tokens.get(hash);
    if (record === null) return null;
    const { tenant, expiresAt } = record;
    const hasEnded = expiresAt !== null && expiresAt <= clock.now();
    if (hasEnded || (project !== null && project !== tenant)) return null;
    return { project: tenant, token: secret, user: tokenId(hash), expiresAt };
  };

const OPEN_TOKEN = "project:";

/** For a host that ignores tokens. Its tokens only contain the name of the project. */
export const grantsForAnybody: FindGrant = async (secret, project) => {
  const isOwn = secret.startsWith(OPEN_TOKEN);
  const named = project ?? (isOwn ? secret.slice(OPEN_TOKEN.length) : "");
  return TENANT.test(named)
    ? { project: named, token: OPEN_TOKEN + named, user: named, expiresAt: null }
    : null;
};

/**
 * Detects that a host is older than its restored copy. The document that the copy serves names the
 * copy's life in its URL, signed for the agent's server. When the agent then polls the original
 * with that URL, the original knows that it is the older one, and stops. Both have the keys of the
 * backup; nobody else can sign such a proof.
 */
import * as z from "zod/mini";
import { RetryLater } from "#lib/errors.ts";
import type { Ports } from "#lib/ports/ports.ts";
import type { AgentRequest } from "../agent-requests/urls.ts";

const proofSchema = z.object({
  life: z.string().check(z.regex(/^\d{1,15}$/)),
  life_kid: z.string(),
  life_sig: z.string(),
});

const grantOf = (serverId: string, life: number) =>
  ({ tenant: "", kind: "life", id: serverId, exp: 0, gen: life }) as const;

export const withLife = (
  { signer, life = 0 }: Pick<Ports, "signer" | "life">,
  serverId: string,
  url: string,
): string => {
  if (life === 0) return url;
  const { kid, sig } = signer.sign(grantOf(serverId, life));
  return `${url}&life=${life}&life_kid=${encodeURIComponent(kid)}&life_sig=${encodeURIComponent(sig)}`;
};

export const refuseNewerLife = (
  ports: Pick<Ports, "signer" | "life" | "metNewerLife">,
  serverId: string,
  { query }: AgentRequest,
): void => {
  const { metNewerLife, signer, life: own = 0 } = ports;
  const proof = proofSchema.safeParse(query);
  if (metNewerLife === undefined || !proof.success) return;
  const life = Number(proof.data.life);
  const { life_kid: kid, life_sig: sig } = proof.data;
  if (life <= own || !signer.verify(grantOf(serverId, life), kid, sig)) return;
  metNewerLife(life);
  throw new RetryLater("a newer life of this folder serves the agent");
};

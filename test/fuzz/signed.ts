/**
 * Requests by somebody who has seen signed URLs of another project, none of which is still valid
 * for its purpose: changed, moved to another id, signed for something else or by another host,
 * expired, or used before.
 */
import type { JsonObject } from "#lib/json.ts";
import type { SignedGrant, Signer } from "#lib/ports/ports.ts";
import type { Dice } from "../robustness/dice.ts";

export interface SignedUrls {
  readonly living: readonly string[];
  /**
   * URLs of the other project whose results were given, so that a repetition must change nothing.
   */
  readonly spent: readonly string[];
  readonly own: readonly string[];
}

export interface Signers {
  /** The attacked host's own signer, for URLs that it could have handed out in the past. */
  readonly own: Signer;
  readonly ofAnotherHost: Signer;
}

export interface SignedRequest {
  readonly method: string;
  /** Absolute, because on AWS agents may have an origin of their own. */
  readonly url: string;
  readonly body?: JsonObject;
  /** The signature is valid, so the request may succeed but must have no effect. */
  readonly mayPass: boolean;
}

const KINDS = ["metadata", "signal", "probe", "upload"] as const;
const SOMETHING: readonly (readonly [string, string])[] = [
  ["kid", "none"],
  ["exp", "9999999999"],
  ["gen", "99"],
  ["sig", "AAAA"],
  ["tenant", "another"],
  ["bytes", "1"],
];

const idOf = (url: string): string => new URL(url).pathname.split("/").at(-1) ?? "";
const kindOf = (url: string): SignedGrant["kind"] =>
  KINDS.find((kind) => new URL(url).pathname.includes(`/${kind}/`)) ?? "probe";
const numberIn = (url: string, name: string): number =>
  Number(new URL(url).searchParams.get(name) ?? 0);

const otherChar = (char: string): string => (char === "A" ? "B" : "A");

const changed = (dice: Dice, url: string): string => {
  const to = new URL(url);
  const [name = "sig", value = ""] = dice.pick([...to.searchParams]);
  const at = dice.below(Math.max(1, value.length));
  const spoilt = dice.pick([
    value.slice(0, at) + otherChar(value[at] ?? "") + value.slice(at + 1),
    value.slice(0, at),
    `${value}A`,
    Object.fromEntries(SOMETHING)[name] ?? "x",
  ]);
  if (dice.chance(20) || spoilt === value) to.searchParams.delete(name);
  else to.searchParams.set(name, spoilt);
  return to.href;
};

const moved = (dice: Dice, url: string, queries: readonly string[]): string => {
  const others = queries.filter((one) => idOf(one) !== idOf(url) || kindOf(one) !== kindOf(url));
  const to = new URL(url);
  to.search = new URL(dice.pick(others)).search;
  return to.href;
};

const withGrant = (url: string, signer: Signer, grant: SignedGrant): string => {
  const { kid, exp, gen, sig } = signer.sign(grant);
  const to = new URL(url);
  to.search = new URLSearchParams({ kid, exp: String(exp), gen: String(gen), sig }).toString();
  return to.href;
};

const signedForElse = (
  dice: Dice,
  url: string,
  signers: Signers,
  { owner, attacker }: { readonly owner: string; readonly attacker: string },
): string => {
  const good: SignedGrant = {
    tenant: owner,
    kind: kindOf(url),
    id: idOf(url),
    exp: numberIn(url, "exp"),
    gen: numberIn(url, "gen"),
  };
  return dice.pick([
    () => withGrant(url, signers.own, { ...good, tenant: attacker }),
    () => withGrant(url, signers.own, { ...good, exp: 1 + dice.below(1_000_000) }),
    () =>
      withGrant(url, signers.own, {
        ...good,
        kind: dice.pick(KINDS.filter((kind) => kind !== good.kind)),
      }),
    () => withGrant(url, signers.own, { ...good, id: `${good.id}0` }),
    () => withGrant(url, signers.ofAnotherHost, good),
  ])();
};

const bodyOf = (dice: Dice, url: string): JsonObject =>
  dice.pick<JsonObject>([
    {},
    { deploy_status_code: 0, deploy_stdout: "attack", result: "attack" },
    { deploy_status_code: 1, deploy_stderr: "attack" },
    { deploy_status: "IN_PROGRESS", deploy_stdout: "attack" },
    { deploy_upload: idOf(url) },
    { status: "SUCCESS", reason: "attack", data: "attack", id: "1" },
  ]);

export const signedNext =
  (
    urls: SignedUrls,
    signers: Signers,
    tenants: { readonly owner: string; readonly attacker: string },
  ) =>
  (dice: Dice): SignedRequest => {
    const method = dice.pick(["GET", "PUT", "POST", "POST", "PUT", "PATCH", "DELETE", "HEAD"]);
    const isReplay = dice.chance(15);
    const target = dice.pick(isReplay ? urls.spent : [...urls.living, ...urls.spent]);
    const url = isReplay
      ? target
      : dice.pick([
          () => changed(dice, target),
          () => moved(dice, target, [...urls.own, ...urls.living, ...urls.spent]),
          () => signedForElse(dice, target, signers, tenants),
        ])();
    // Stock agents send HEAD first. The answer contains nothing and needs no lookup.
    const mayPass = isReplay || (method === "HEAD" && kindOf(url) === "metadata");
    const sends = method !== "GET" && method !== "HEAD";
    return { method, url, mayPass, ...(sends ? { body: bodyOf(dice, url) } : {}) };
  };

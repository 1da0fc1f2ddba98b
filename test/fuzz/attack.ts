import type { SendAs } from "../integration/security/tenant-stacks.ts";
import { diceOf } from "../robustness/dice.ts";
import { makeOwned } from "./owner.ts";
import { readTypes } from "./read-types.ts";
import { type SignedRequest, type Signers, signedNext } from "./signed.ts";
import { strangersNext } from "./strangers.ts";

/** Neither name occurs inside another text, so a search for it cannot match by chance. */
export const OWNER = "owner-7f3a";
export const STRANGER = "stranger-c51e";
const COMPARED_EVERY_REQUESTS = 1_000;
const PROGRESS_REQUESTS = 1_000;
const SIGNED_PERCENT = 25;

export interface Arena {
  readonly send: SendAs;
  readonly signers: Signers;
  readonly strangersToken: string;
  rows(texts: readonly string[]): Promise<ReadonlySet<string>>;
}

interface Answer {
  readonly what: string;
  readonly status: number;
  readonly text: string;
  readonly mayPass: boolean;
}

const sendSigned = async (request: SignedRequest, token: string): Promise<Answer> => {
  const { method, url, body, mayPass } = request;
  const answer = await fetch(url, {
    method,
    headers: { "X-Auth-Token": token },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = JSON.stringify([...answer.headers]) + (await answer.text());
  return { what: `${method} ${url}`, status: answer.status, text, mayPass };
};

const faultsOf = ({ what, status, text, mayPass }: Answer, contents: readonly string[]) => {
  const shown = contents.filter((content) => text.includes(content));
  return [
    ...(status >= 500 ? [`${what} answers ${status}: ${text}`] : []),
    ...(status < 300 && !mayPass ? [`${what} is accepted with ${status}: ${text}`] : []),
    ...(shown.length > 0 ? [`${what} answers ${status} and shows ${shown.join(", ")}`] : []),
  ];
};

export const attack = async (
  { send, signers, strangersToken, rows: readRows }: Arena,
  requests: number,
  seed: number,
  fail: (at: number, fault: string) => void,
): Promise<number> => {
  let failed = 0;
  const note = (at: number, fault: string): void => {
    failed++;
    fail(at, fault);
  };
  const owned = await makeOwned(send, OWNER);
  const { ids: own, sites: mine } = await makeOwned(send, STRANGER);
  const types = await readTypes(send, STRANGER);
  const next = strangersNext({ own, other: owned.ids, foreign: owned.all, types });
  const urls = { ...owned.sites, own: [...mine.living, ...mine.spent] };
  const nextSigned = signedNext(urls, signers, { owner: OWNER, attacker: STRANGER });
  const play = async (at: number): Promise<Answer> => {
    const dice = diceOf(seed, at);
    if (dice.chance(SIGNED_PERCENT)) return sendSigned(nextSigned(dice), strangersToken);
    const { method, path, body } = next(at, dice);
    const answer = await send(STRANGER, method, path, body);
    const text = answer.headers + answer.body;
    return { what: `${method} ${path}`, status: answer.status, text, mayPass: true };
  };
  const marks = [OWNER, ...owned.all];
  let rows = await readRows(marks);
  for (let at = 0; at < requests; at++) {
    for (const fault of faultsOf(await play(at), owned.contents)) note(at, fault);
    const isLast = at === requests - 1;
    if (at % COMPARED_EVERY_REQUESTS !== 0 && !isLast) continue;
    const now = await readRows(marks);
    for (const row of [...rows].filter((one) => !now.has(one))) note(at, `changed: ${row}`);
    rows = new Set([...rows].filter((one) => now.has(one)));
    if (at % PROGRESS_REQUESTS === 0 || isLast)
      console.error(`${at + 1} of ${requests} requests, ${failed} failed`);
  }
  return failed;
};

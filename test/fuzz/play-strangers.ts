/** A project attacks another one on a host with tokens. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToken } from "#host/api-tokens.ts";
import { startHost } from "#host/host.ts";
import { makeTenantStack, type SendAs } from "../integration/security/tenant-stacks.ts";
import { diceOf } from "../robustness/dice.ts";
import { makeOwned, rowsOf, settler } from "./owner.ts";
import { readTypes } from "./read-types.ts";
import { strangersNext } from "./strangers.ts";

/** In one process both are never the part of another text. */
const OWNER = "owner-7f3a";
const STRANGER = "stranger-c51e";
/** The rows of the owner are compared so often. */
const COMPARED_EVERY_REQUESTS = 1_000;
const PROGRESS_REQUESTS = 10_000;

const sender = (url: string, tokens: Readonly<Record<string, string>>): SendAs => {
  const send: SendAs = async (tenant, method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      redirect: "manual",
      headers: { "X-Auth-Token": tokens[tenant] ?? "" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    // Heat's clients follow with the same method and body.
    if (answer.status === 302) {
      const { pathname, search } = new URL(answer.headers.get("Location") ?? url);
      return send(tenant, method, pathname + search, body);
    }
    return { status: answer.status, headers: JSON.stringify([...answer.headers]), body: text };
  };
  return send;
};

/** Returns how many of the requests show something or change something. */
export const playStrangers = async (
  requests: number,
  seed: number,
  fail: (at: number, fault: string) => void,
): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-fuzz-"));
  const tokenOf = (project: string): string => createToken(folder, project, null).token;
  const tokens = { [OWNER]: tokenOf(OWNER), [STRANGER]: tokenOf(STRANGER) };
  const host = await startHost({ port: 0, data: folder, auth: "tokens" });
  const send = sender(host.url, tokens);
  let failed = 0;
  const note = (at: number, fault: string): void => {
    failed++;
    fail(at, fault);
  };
  try {
    const owned = await makeOwned(send, OWNER);
    const { ids: own } = await makeTenantStack(send, STRANGER, STRANGER, settler(send, STRANGER));
    const types = await readTypes(send, STRANGER);
    const next = strangersNext({ own, other: owned.ids, foreign: owned.all, types });
    const marks = [OWNER, ...owned.all];
    let rows = rowsOf(folder, marks);
    for (let at = 0; at < requests; at++) {
      const { method, path, body } = next(at, diceOf(seed, at));
      const { status, headers, body: text } = await send(STRANGER, method, path, body);
      const shown = owned.contents.filter((content) => (headers + text).includes(content));
      const what = `${method} ${path} answers ${status}`;
      if (status >= 500) note(at, `${what}: ${text}`);
      if (shown.length > 0) note(at, `${what} and shows ${shown.join(", ")}`);
      const isLast = at === requests - 1;
      if (at % COMPARED_EVERY_REQUESTS !== 0 && !isLast) continue;
      const now = rowsOf(folder, marks);
      for (const row of [...rows].filter((one) => !now.has(one))) note(at, `changed: ${row}`);
      rows = new Set([...rows].filter((one) => now.has(one)));
      if (at % PROGRESS_REQUESTS === 0 || isLast)
        console.error(`${at + 1} of ${requests} requests, ${failed} failed`);
    }
  } finally {
    await host.stop();
    rmSync(folder, { recursive: true });
  }
  return failed;
};

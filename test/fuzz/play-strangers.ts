import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createToken } from "#host/credentials.ts";
import { startHost } from "#host/host.ts";
import { hmacSigner } from "#lib/adapters/node/platform.ts";
import { loadOrCreateKeys } from "#lib/adapters/sqlite/folder/keys.ts";
import type { SendAs } from "../integration/security/tenant-stacks.ts";
import { attack, OWNER, STRANGER } from "./attack.ts";
import { rowsOf } from "./owner.ts";

export const sender = (url: string, tokens: Readonly<Record<string, string>>): SendAs => {
  const send: SendAs = async (tenant, method, path, body) => {
    const answer = await fetch(url + path, {
      method,
      redirect: "manual",
      headers: { "X-Auth-Token": tokens[tenant] ?? "" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    // Heat's clients follow a redirect with the same method and body.
    if (answer.status === 302) {
      const { pathname, search } = new URL(answer.headers.get("Location") ?? url);
      return send(tenant, method, pathname + search, body);
    }
    return { status: answer.status, headers: JSON.stringify([...answer.headers]), body: text };
  };
  return send;
};

/** Another host, whose keys have the same ids but other secrets. */
export const signerOfAnotherHost = (kid: string) =>
  hmacSigner([{ kid, secret: new Uint8Array(32).fill(7) }]);

export const playStrangers = async (
  requests: number,
  seed: number,
  fail: (at: number, fault: string) => void,
): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), "hearth-fuzz-"));
  const tokenOf = (project: string): string => createToken(folder, project, null).token;
  const tokens = { [OWNER]: tokenOf(OWNER), [STRANGER]: tokenOf(STRANGER) };
  const host = await startHost({ port: 0, data: folder, auth: "tokens" });
  const own = hmacSigner(loadOrCreateKeys(folder).signing);
  const { kid } = own.sign({ tenant: OWNER, kind: "probe", id: "", exp: 0, gen: 1 });
  try {
    const arena = {
      send: sender(host.url, tokens),
      signers: { own, ofAnotherHost: signerOfAnotherHost(kid) },
      strangersToken: tokens[STRANGER] ?? "",
      rows: async (texts: readonly string[]) => rowsOf(folder, texts),
    };
    return await attack(arena, requests, seed, fail);
  } finally {
    await host.stop();
    rmSync(folder, { recursive: true });
  }
};

import { deepEqual } from "node:assert/strict";
import { attack, OWNER, STRANGER } from "#test/fuzz/attack.ts";
import { itemRows } from "#test/fuzz/item-rows.ts";
import { sender, signerOfAnotherHost } from "#test/fuzz/play-strangers.ts";
import type { Story } from "../lane.ts";

const SEED = 1;
export const attacked = (requests: number): Story => ({
  name: `a project gets nothing of another one by ${requests} requests of a fuzzer`,
  play: async (lane) => {
    const [owner, stranger] = [await lane.openProject(OWNER), await lane.openProject(STRANGER)];
    const tokens = { [OWNER]: owner.token, [STRANGER]: stranger.token };
    const own = await lane.account.signer();
    const { kid } = own.sign({ tenant: OWNER, kind: "probe", id: "", exp: 0, gen: 1 });
    const arena = {
      send: sender(lane.url, tokens),
      signers: { own, ofAnotherHost: signerOfAnotherHost(kid) },
      strangersToken: stranger.token,
      rows: async (texts: readonly string[]) => itemRows(await lane.account.items(), texts),
    };
    const faults: string[] = [];
    await attack(arena, requests, SEED, (at, fault) => faults.push(`${at}: ${fault}`));
    deepEqual(faults, []);
  },
});

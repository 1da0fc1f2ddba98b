import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { describe, expect, it } from "vitest";
import { openSigner, orderKeys } from "#functions/aws/secrets.ts";
import { nextSigningText } from "#functions/aws/signing-secret.ts";
import { backoffSeconds } from "#functions/middleware/back-off.ts";
import { handler as rotation } from "#functions/rotate-signing-key/handler.ts";
import { memoryClock } from "#lib/adapters/memory/clock.ts";
import { linesOf } from "./output.ts";

const version = (id: string, createdAt: number) => ({ id, text: `secret ${id}`, createdAt });
const kids = (now: number, previous: ReturnType<typeof version> | null): readonly string[] =>
  orderKeys(version("new", 1_000_000), previous, now).map(({ kid }) => kid);

describe("two generations of a signing key", () => {
  it("let the older one sign until every warm worker knows the new one", () => {
    const old = version("old", 0);
    expect(kids(1_000_000, old)).toEqual(["old", "new"]);
    expect(kids(1_599_999, old)).toEqual(["old", "new"]);
    expect(kids(1_600_000, old)).toEqual(["new", "old"]);
  });

  it("verify with all that the current one lists, and not twice with the previous", () => {
    const text = nextSigningText("new", [
      { id: "old", key: "o" },
      { id: "older", key: "p" },
    ]);
    const current = { ...version("new", 1_000_000), text };
    const old = version("old", 0);
    const ordered = (now: number) => orderKeys(current, old, now).map(({ kid }) => kid);
    expect(ordered(1_600_000)).toEqual(["new", "old", "older"]);
    expect(ordered(1_000_000)).toEqual(["old", "new", "older"]);
  });

  it("are two that know nothing of each other after a leak", () => {
    const leaked = {
      ...version("old", 0),
      text: nextSigningText("o", [{ id: "stolen", key: "s" }]),
    };
    expect(kids(1_600_000, leaked)).toEqual(["new", "old"]);
  });

  it("are one before the first rotation", () => {
    expect(kids(1_000_000, null)).toEqual(["new"]);
  });
});

describe("a worker's keys", () => {
  const MINUTE_MS = 60_000;
  const openWorker = async () => {
    const service = { isAway: false, asked: 0 };
    const client = new SecretsManagerClient({ region: "us-east-1" });
    client.middlewareStack.add(
      () => async () => {
        service.asked += 1;
        if (service.isAway) throw new Error("ThrottlingException");
        const found = { VersionId: "only", SecretString: "planted", CreatedDate: new Date(0) };
        return { response: {}, output: { $metadata: {}, ...found } };
      },
      { step: "initialize" },
    );
    const clock = memoryClock();
    const { signer, refresh } = await openSigner(client, "the-secret", clock);
    const grant = { tenant: "t", kind: "signal", id: "d", exp: 0, gen: 1 } as const;
    const { kid, sig } = signer.sign(grant);
    return { service, clock, refresh, isGood: () => signer.verify(grant, kid, sig) };
  };

  it("stay valid while the secret cannot be read, which is retried twice a minute", async () => {
    const { service, clock, refresh, isGood } = await openWorker();
    service.isAway = true;
    clock.advance(5 * MINUTE_MS);
    const asked = service.asked;
    const lines = await linesOf(async () => {
      await refresh();
      await refresh();
    });
    expect([isGood(), service.asked - asked]).toEqual([true, 2]);
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toContain("planted");
    service.isAway = false;
    clock.advance(MINUTE_MS / 2);
    await refresh();
    expect(service.asked - asked).toBe(4);
    await refresh();
    expect(service.asked - asked).toBe(4);
  });

  it("expire when a key that they lack may sign", async () => {
    const { service, clock, refresh } = await openWorker();
    service.isAway = true;
    clock.advance(10 * MINUTE_MS);
    await expect(refresh()).rejects.toThrow("ThrottlingException");
    service.isAway = false;
    await refresh();
  });
});

describe("a rotation", () => {
  it("makes a pending version first and the current one last", async () => {
    const calls: string[] = [];
    const rotate = rotation({
      createPending: async (id, to) => {
        calls.push(`create ${id} ${to}`);
      },
      makeCurrent: async (id, to) => {
        calls.push(`finish ${id} ${to}`);
      },
    });
    for (const Step of ["createSecret", "setSecret", "testSecret", "finishSecret"]) {
      const event = { Step, SecretId: "s", ClientRequestToken: "v" };
      await rotate(event);
    }
    expect(calls).toEqual(["create s v", "finish s v"]);
  });
});

describe("the delay before a failed message's next delivery", () => {
  it("doubles up to a minute", () => {
    expect([0, 1, 2, 3, 7, 40].map(backoffSeconds)).toEqual([1, 1, 2, 4, 60, 60]);
  });
});

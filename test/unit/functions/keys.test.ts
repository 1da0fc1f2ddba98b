import { describe, expect, it } from "vitest";
import { backoffSeconds } from "#functions/cloud/redelivery.ts";
import { orderKeys } from "#functions/cloud/secrets.ts";
import { handler as rotation } from "#functions/rotate-signing-key/handler.ts";
import { lambdaContext } from "../../../cli/serve/lambda-events.ts";

const version = (id: string, createdAt: number) => ({ id, text: `secret ${id}`, createdAt });
const kids = (now: number, previous: ReturnType<typeof version> | null): readonly string[] =>
  orderKeys(version("new", 1_000_000), previous, now).map(({ kid }) => kid);

describe("two generations of a signing key", () => {
  it("let the older one sign on until every warm worker knows the new one", () => {
    const old = version("old", 0);
    expect(kids(1_000_000, old)).toEqual(["old", "new"]);
    expect(kids(1_599_999, old)).toEqual(["old", "new"]);
    expect(kids(1_600_000, old)).toEqual(["new", "old"]);
  });

  it("are one before the first rotation", () => {
    expect(kids(1_000_000, null)).toEqual(["new"]);
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
      await rotate(event, lambdaContext("rotate", 1_000));
    }
    expect(calls).toEqual(["create s v", "finish s v"]);
  });
});

describe("the time to a failed message's next delivery", () => {
  it("doubles up to a minute", () => {
    expect([0, 1, 2, 3, 7, 40].map(backoffSeconds)).toEqual([1, 1, 2, 4, 60, 60]);
  });
});

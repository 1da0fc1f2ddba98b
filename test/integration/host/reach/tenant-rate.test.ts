import { afterEach, describe, expect, it } from "vitest";
import { createToken } from "#host/credentials.ts";
import { untilNextWindow } from "../flood.ts";
import { ask, endWorld, openWorld } from "./reach-world.ts";

const TEST_MS_MAX = 60_000;
const RATE = 1;
const ALLOWED = 10;

afterEach(endWorld);

describe("a project that floods", { timeout: TEST_MS_MAX }, () => {
  it("is refused by its token's project, and neither strangers nor others use up its share", async () => {
    const { host, folder, token } = await openWorld({ tenantRate: RATE });
    const other = createToken(folder, "other", null).token;
    const ownPath = `${host.url}/v1/demo/stacks`;
    const otherPath = `${host.url}/v1/other/stacks`;
    const statuses = async (url: string, sent: string, requests: number) => {
      const headers = { "X-Auth-Token": sent };
      const answers = await Promise.all(Array.from({ length: requests }, () => ask(url, headers)));
      return answers.map(({ status }) => status).toSorted();
    };
    const times = (status: number, count: number) => Array.from({ length: count }, () => status);

    await untilNextWindow();
    expect(await statuses(ownPath, "guess", 2 * ALLOWED)).toEqual(times(401, 2 * ALLOWED));
    expect(await statuses(ownPath, other, 2 * ALLOWED)).toEqual(times(403, 2 * ALLOWED));
    expect(await statuses(ownPath, token, ALLOWED)).toEqual(times(200, ALLOWED));
    expect(await statuses(ownPath, token, ALLOWED)).toEqual(times(429, ALLOWED));
    expect(await statuses(otherPath, other, ALLOWED)).toEqual(times(200, ALLOWED));
  });
});

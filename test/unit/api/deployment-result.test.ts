import { describe, expect, it, vi } from "vitest";
import { sweep } from "#lib/convergence/sweep/sweep.ts";
import { OUTPUT_PAGE_BYTES_MAX } from "#lib/engine/deployments/deployment-output.ts";
import { RetryLater } from "#lib/errors.ts";
import {
  PRINTED_BYTES_MAX,
  storeWholeOutput,
} from "#lib/software-config/deployments/printed-output.ts";
import { at, textAt } from "./api-world.ts";
import { messageOf, type WaitingDeployment, waitingDeployment } from "./deployment-world.ts";

const set = ({ world, url }: WaitingDeployment, body: Parameters<typeof world.send>[2]) =>
  world.send("PUT", url, body);

describe("a result that a user sets", () => {
  it("contains the printed output and the exit code", async () => {
    const site = await waitingDeployment();
    const answer = await set(site, {
      status: "FAILED",
      status_reason: "no disk",
      output_values: { result: "r" },
      deploy_stdout: "o",
      deploy_stderr: "e",
      deploy_status_code: 3,
    });
    expect(answer.status).toBe(200);
    await site.world.settle();
    expect(await site.show()).toMatchObject({
      status: "FAILED",
      status_reason: "deploy_status_code : Deployment exited with non-zero status code: 3, no disk",
      output_values: {
        result: "r",
        deploy_stdout: "o",
        deploy_stderr: "e",
        deploy_status_code: 3,
      },
    });
    expect(await site.stackStatus()).toBe("CREATE_FAILED");
  });

  it("is refused if its outputs contradict it", async () => {
    const site = await waitingDeployment();
    const refused = await set(site, { status: "COMPLETE", deploy_status_code: 3 });
    expect([refused.status, messageOf(refused.body)]).toEqual([
      400,
      expect.stringContaining("non-zero status code: 3"),
    ]);
    expect(await site.show()).toMatchObject({ status: "IN_PROGRESS" });
  });

  it("is accepted once, and not after the server's result", async () => {
    const site = await waitingDeployment();
    const answers = await Promise.all([
      set(site, { status: "FAILED", status_reason: "first" }),
      set(site, { status: "FAILED", status_reason: "second" }),
    ]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await site.signal(await site.signalUrl(), {})).toMatchObject({ effect: "none" });
    await site.world.settle();
    expect(await site.stackStatus()).toBe("CREATE_FAILED");
    const late = await set(site, { status: "COMPLETE" });
    expect([late.status, messageOf(late.body)]).toEqual([
      409,
      expect.stringContaining("its CREATE is FAILED"),
    ]);
  });

  it("does not outlive its operation", async () => {
    const site = await waitingDeployment();
    const { store, blobs } = site.world.ports;
    const { writeResource } = store;
    const row = site.world.store.dump().rows.find(({ name }) => name === "dep");
    // The operation ends after the result is stored, and before the signal is written.
    store.writeResource = async (key, when, change) => {
      if (change.addSignal) {
        await writeResource(key, [], { set: { operation: null } });
      }
      return writeResource(key, when, change);
    };
    const late = await set(site, { status: "COMPLETE" });
    expect([late.status, messageOf(late.body)]).toEqual([
      409,
      expect.stringContaining("its CREATE has ended"),
    ]);
    expect(await blobs.get(`signal/${row?.id}/${row?.generation}`)).toBeNull();
  });

  it("is accepted if a visit records it before its signal", async () => {
    const site = await waitingDeployment();
    const { store } = site.world.ports;
    const { writeResource } = store;
    store.writeResource = async (key, when, change) => {
      if (change.addSignal) {
        store.writeResource = writeResource;
        site.world.clock.advance(60_000);
        await site.goOn();
      }
      return writeResource(key, when, change);
    };
    const { status, body } = await set(site, { status: "COMPLETE", deploy_stdout: "o" });
    expect([status, at(body, "software_deployment", "status")]).toEqual([200, "COMPLETE"]);
  });
});

const LONG = `${"ä".repeat(450_000)}the end`;

const finished = async (site: WaitingDeployment, stdout: string) => {
  await site.signal(await site.signalUrl(), { deploy_stdout: stdout, deploy_stderr: "short" });
  await site.world.settle();
};

const readWhole = async ({ world, url }: WaitingDeployment, key: string): Promise<string> => {
  const answer = await world.read(`${url}/output/${key}`);
  expect(answer.headers["Content-Type"]).toBe("text/plain; charset=utf-8");
  return answer.body ?? "";
};

describe("long printed output", () => {
  it("is shown by its end with the count of omitted bytes, and in full by its own route", async () => {
    const site = await waitingDeployment();
    await finished(site, LONG);
    const shown = textAt(await site.show(), "output_values", "deploy_stdout");
    const [note, end] = shown.split("\n");
    expect(note).toMatch(
      /^\[867440 of 900007 bytes are left out before this line; .*output\/deploy_stdout/,
    );
    expect(end).toMatch(/^ä+the end$/);
    expect(Buffer.byteLength(shown)).toBeLessThanOrEqual(PRINTED_BYTES_MAX);
    const { body } = await site.world.send("GET", `${site.path}/outputs/printed`);
    expect(at(body, "output", "output_value")).toBe(shown);
    expect(await readWhole(site, "deploy_stdout")).toBe(LONG);
    expect(await readWhole(site, "deploy_stderr")).toBe("short");
  });

  it("is recognised when its signal is repeated", async () => {
    const site = await waitingDeployment();
    const url = await site.signalUrl();
    await finished(site, LONG);
    await site.signal(url, { deploy_stdout: LONG, deploy_stderr: "short" });
    expect(await site.evidence()).toEqual([["duplicate", 1]]);
  });

  it("is in the record if it is short, and empty before the result", async () => {
    const site = await waitingDeployment();
    expect(await readWhole(site, "deploy_stdout")).toBe("");
    await finished(site, "short");
    expect(await readWhole(site, "deploy_stdout")).toBe("short");
    const { status } = await site.world.send("GET", `${site.url}/output/result`);
    expect(status).toBe(404);
  });

  it("comes in pages if it is too large, and no character is split", async () => {
    const site = await waitingDeployment();
    const { ports } = site.world;
    const record = await ports.softwareConfigs.getDeployment(site.serverId, site.id);
    if (record === null) throw new Error("no deployment");
    // The first characters take six bytes each. A page may end inside one of the other characters.
    const printed = `${"\u0001".repeat(900_001)}${"\u{1f600}".repeat(600_000)}`;
    const wholeOutputOf = await storeWholeOutput(ports, record, { deploy_stdout: printed });
    await ports.softwareConfigs.changeDeployment({ ...record, wholeOutputOf }, record);
    const parts: string[] = [];
    for (let from: string | undefined = "0"; from !== undefined; ) {
      const page = await site.world.read(`${site.url}/output/deploy_stdout?from=${from}`);
      parts.push(page.body ?? "");
      from = page.headers["X-Next-From"];
    }
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) {
      expect(Buffer.byteLength(JSON.stringify(part))).toBeLessThanOrEqual(OUTPUT_PAGE_BYTES_MAX);
      expect(part.isWellFormed()).toBe(true);
    }
    expect(parts.join("") === printed).toBe(true);
  });

  const MINUTE_MS = 60_000;
  const blobsOf = ({ world }: WaitingDeployment) =>
    world.blobs.keys().filter((key) => !key.startsWith("template"));

  it("is not kept twice if its first copy could not be removed at once", async () => {
    const site = await waitingDeployment();
    const { world } = site;
    await site.signal(await site.signalUrl(), { deploy_status_code: 0 });
    vi.spyOn(world.blobs, "delete").mockRejectedValueOnce(new RetryLater("busy"));
    await expect(world.settle()).rejects.toThrow("busy");
    expect(blobsOf(site)).toHaveLength(1);
    world.clock.advance(MINUTE_MS);
    await sweep(world.ports);
    await world.settle();
    expect(await site.stackStatus()).toBe("CREATE_COMPLETE");
    expect(blobsOf(site)).toEqual([]);
  });

  it("is deleted with the next result, and with the deployment", async () => {
    const site = await waitingDeployment();
    const blobs = () => blobsOf(site);
    await finished(site, LONG);
    const first = blobs();
    expect(first).toEqual([expect.stringMatching(/^output\/.*\/1$/)]);
    const { body } = await site.world.send("GET", `${site.path}/template`);
    const template = JSON.parse(JSON.stringify(body).replace('"a":1', '"a":2'));
    await site.world.send("PUT", site.path, { template });
    await site.goOn();
    expect(await readWhole(site, "deploy_stdout")).toBe(LONG);
    await finished(site, `${LONG} again`);
    expect(blobs()).toEqual([expect.stringMatching(/^output\/.*\/2$/)]);
    await site.world.send("DELETE", site.path);
    await site.world.settle();
    expect(blobs()).toEqual([]);
  });
});

import { describe, expect, it, vi } from "vitest";
import { handleDeadLetter } from "#lib/convergence/sweep/dead-letter.ts";
import { present } from "#lib/errors.ts";
import { DELIVERIES_MAX } from "#lib/software-config/deployments/delivery.ts";
import { at, listAt, openWorld, textAt } from "./api-world.ts";
import { messageOf, type WaitingDeployment, waitingDeployment } from "./deployment-world.ts";

const retry = ({ world, url }: WaitingDeployment) => world.send("POST", `${url}/retry`);

const recordOf = async ({ world, serverId, id }: WaitingDeployment) =>
  present(await world.ports.softwareConfigs.getDeployment(serverId, id), "record");

const reasonsOf = async ({ world, path }: WaitingDeployment) => {
  const { body } = await world.send("GET", `${path}/resources/dep/events`);
  return listAt(body, "events").map((event) => textAt(event, "resource_status_reason"));
};

describe("a retry", () => {
  it("delivers the same content under a new id, and only that id accepts the result", async () => {
    const site = await waitingDeployment();
    const [before, formerUrl] = [await site.published(), await site.signalUrl()];
    site.world.clock.advance(60_000);
    const answer = await retry(site);
    expect(answer.status).toBe(202);
    const [after, url] = [await site.published(), await site.signalUrl()];
    const id = textAt(after, "id");
    expect(id).not.toBe(textAt(before, "id"));
    expect(at(answer.body, "software_deployment")).toMatchObject({ config_id: id });
    expect(url).toContain(`/v1/agent/signal/${id}?`);
    const sameUrl = JSON.stringify(after).replaceAll(url, formerUrl);
    expect(JSON.parse(sameUrl)).toEqual({ ...Object(before), id });

    expect(await site.signal(formerUrl, { deploy_status_code: 1 })).toEqual({
      status: 200,
      effect: "none",
    });
    expect(await site.evidence()).toEqual([["old_operation", 1]]);
    expect(await site.show()).toMatchObject({ status: "IN_PROGRESS" });
    await site.signal(url, { deploy_status_code: 0, result: "r" });
    await site.world.settle();
    expect(await site.stackStatus()).toBe("CREATE_COMPLETE");
    expect(await site.show()).toMatchObject({ status: "COMPLETE", config_id: id });
  });

  it("makes an event of the resource", async () => {
    const site = await waitingDeployment();
    await retry(site);
    await site.goOn();
    await site.signal(await site.signalUrl(), {});
    await site.world.settle();
    expect(await reasonsOf(site)).toContainEqual(
      expect.stringMatching(
        `^Retry: deployment ${site.id} is delivered again as [-0-9a-f]{36}, delivery 2$`,
      ),
    );
  });

  it("can be repeated up to a limit, each time under another id", async () => {
    const site = await waitingDeployment();
    const ids = new Set<string>();
    for (let deliveries = 2; deliveries <= DELIVERIES_MAX; deliveries += 1) {
      const { status, body } = await retry(site);
      expect(status).toBe(202);
      ids.add(textAt(body, "software_deployment", "config_id"));
    }
    expect(ids.size).toBe(DELIVERIES_MAX - 1);
    const refused = await retry(site);
    expect([refused.status, messageOf(refused.body)]).toEqual([
      409,
      `Deployment ${site.id} has been delivered 100 times, which is the maximum.`,
    ]);
  });

  it("succeeds once for two at the same time, and the other one is refused", async () => {
    const site = await waitingDeployment();
    const answers = await Promise.all([retry(site), retry(site)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409]);
    const refused = present(
      answers.find(({ status }) => status === 409),
      "the refused one",
    );
    expect(messageOf(refused.body)).toContain("changed at the same moment");
    expect(await recordOf(site)).toMatchObject({ delivery: 2 });
  });

  it("keeps the operation's deadline, and starts the deployment's own timeout again", async () => {
    const site = await waitingDeployment({ timeout: 100 });
    const { deadline } = present(
      site.world.store.row(site.path.split("/").at(-1) ?? "", (await recordOf(site)).resourceId)
        ?.operation,
      "operation",
    );
    site.world.clock.advance(90_000);
    await retry(site);
    site.world.clock.advance(90_000);
    await site.goOn();
    expect(await site.show()).toMatchObject({ status: "IN_PROGRESS" });
    const row = site.world.store.dump().rows.find(({ name }) => name === "dep");
    expect(row?.operation?.deadline).toBe(deadline);
    site.world.clock.advance(20_000);
    await site.goOn();
    expect(await site.show()).toMatchObject({
      status: "FAILED",
      status_reason: expect.stringMatching(/^No signal within 100 seconds; ./),
    });
  });
});

describe("a retry is refused", () => {
  it("if a result is stored, and after the end", async () => {
    const site = await waitingDeployment();
    await site.signal(await site.signalUrl(), {});
    const early = await retry(site);
    expect([early.status, messageOf(early.body)]).toEqual([
      409,
      `The result of deployment ${site.id} has arrived already and is being recorded.`,
    ]);
    await site.world.settle();
    const late = await retry(site);
    expect([late.status, messageOf(late.body)]).toEqual([
      409,
      `Deployment ${site.id} waits for no result: its CREATE is COMPLETE (Outputs received).`,
    ]);
    expect(await recordOf(site)).toMatchObject({ delivery: 1 });
  });

  it("if nothing waits for a signal", async () => {
    const site = await waitingDeployment({ signal_transport: "NO_SIGNAL" });
    expect((await retry(site)).status).toBe(409);
  });

  it("if the operation has ended and its record does not say so", async () => {
    const site = await waitingDeployment();
    const { stackId, resourceId: id } = await recordOf(site);
    await site.world.store.writeResource({ stackId, id }, [], { set: { operation: null } });
    const refused = await retry(site);
    expect([refused.status, messageOf(refused.body)]).toEqual([
      409,
      `Deployment ${site.id} waits for no result: its CREATE has ended.`,
    ]);
  });

  it("if a dead letter has ended the operation, and the record says so", async () => {
    const site = await waitingDeployment();
    const { world } = site;
    const { operation, id, stackId, tenant } = present(
      world.store.dump().rows.find(({ name }) => name === "dep"),
      "the row",
    );
    world.clock.advance(3_600_000);
    await handleDeadLetter(world.ports, {
      type: "check_resource",
      tenant,
      stackId,
      resourceId: id,
      isUpdate: true,
      traversalId: present(operation, "operation").traversalId,
    });
    expect(await recordOf(site)).toMatchObject({
      status: "FAILED",
      statusReason: "Deployment cancelled.",
    });
    expect((await retry(site)).status).toBe(409);
  });

  it("if a result came before the dead letter that would end it, and the result counts", async () => {
    const site = await waitingDeployment();
    const { world } = site;
    const url = await site.signalUrl();
    const { operation, id, stackId, tenant } = present(
      world.store.dump().rows.find(({ name }) => name === "dep"),
      "the row",
    );
    world.clock.advance(600_000);
    const { softwareConfigs } = world.ports;
    const change = softwareConfigs.changeDeployment.bind(softwareConfigs);
    vi.spyOn(softwareConfigs, "changeDeployment").mockImplementationOnce(async (next, asRead) => {
      expect(await site.signal(url, { deploy_status_code: 0 })).toMatchObject({
        effect: "result stored",
      });
      return change(next, asRead);
    });
    await handleDeadLetter(world.ports, {
      type: "check_resource",
      tenant,
      stackId,
      resourceId: id,
      isUpdate: true,
      traversalId: present(operation, "operation").traversalId,
    });
    await world.settle();
    expect(await site.stackStatus()).toBe("CREATE_COMPLETE");
    expect(await site.show()).toMatchObject({ status: "COMPLETE" });
  });

  it("for a deployment without a stack, and for an unknown one", async () => {
    const world = openWorld();
    const config = await world.send("POST", "/software_configs", { name: "c", group: "script" });
    const made = await world.send("POST", "/software_deployments", {
      config_id: textAt(config.body, "software_config", "id"),
      server_id: "srv-1",
    });
    const id = textAt(made.body, "software_deployment", "id");
    const refused = await world.send("POST", `/software_deployments/${id}/retry`);
    expect([refused.status, messageOf(refused.body)]).toEqual([
      400,
      expect.stringContaining("belongs to no stack"),
    ]);
    expect((await world.send("POST", "/software_deployments/nope/retry")).status).toBe(404);
  });
});

describe("a result during a retry", () => {
  it("T40: counts from any delivery", async () => {
    const site = await waitingDeployment();
    const { ports } = site.world;
    const formerUrl = await site.signalUrl();
    // The signal arrives between the retry's search for a result and its write.
    const { changeDeployment } = ports.softwareConfigs;
    ports.softwareConfigs.changeDeployment = async (record, asRead) => {
      if (record.delivery === 2) await site.signal(formerUrl, { result: "first" });
      return changeDeployment(record, asRead);
    };
    expect((await retry(site)).status).toBe(202);
    await site.world.settle();
    expect(await site.stackStatus()).toBe("CREATE_COMPLETE");
    expect(await site.show()).toMatchObject({ output_values: { result: "first" } });
  });

  it("is recorded after the new delivery and not over it", async () => {
    const site = await waitingDeployment();
    const { ports } = site.world;
    const { changeDeployment } = ports.softwareConfigs;
    let retried: Promise<unknown> | null = null;
    // The retry has read no result. It writes just before the visit that has found one.
    ports.softwareConfigs.changeDeployment = async (record, asRead) => {
      if (record.status === "COMPLETE" && retried === null) {
        const next = { ...(await recordOf(site)), delivery: 2, derivedConfigId: "second" };
        retried = changeDeployment(next, asRead);
        await retried;
      }
      return changeDeployment(record, asRead);
    };
    await site.signal(await site.signalUrl(), {});
    await site.world.settle();
    expect(await site.stackStatus()).toBe("CREATE_COMPLETE");
    expect(await recordOf(site)).toMatchObject({ status: "COMPLETE", delivery: 2 });
  });
});

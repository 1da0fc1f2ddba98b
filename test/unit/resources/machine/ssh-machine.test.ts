import { expect, it } from "vitest";
import { callLimit } from "#lib/adapters/node/call-limit.ts";
import { Refused, Unreachable } from "#providers/ssh/client.ts";
import { sshProvider } from "#providers/ssh/ssh-provider.ts";
import { createStack, openWorld, textAt } from "../../api/api-world.ts";

const HOST_KEY =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGlvvPc2SCvTzFFUaCUUqY6SJDnP6yGEBQmM1w2cZ1hx machine";
const TEMPLATE = {
  heat_template_version: "2018-08-31",
  resources: {
    m: {
      type: "Hearth::Machine::SSH",
      properties: { address: "10.0.0.4", port: 2222, host_key: HOST_KEY, identity: "ops" },
    },
  },
};

const openMachine = async (answers: (string | Error)[]) => {
  let calls = 0;
  const clock = { now: () => 0 };
  const provider = sshProvider({
    run: async () => {
      calls += 1;
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer instanceof Error) throw answer;
      return { code: 0, stdout: answer ?? "", stderr: "" };
    },
    identities: {
      identities: new Map([["ops", { key_file: "/key", projects: ["demo"] }]]),
      caFile: null,
    },
    bootstrap: async () => "#!/bin/sh",
    isLocal: () => false,
    now: () => clock.now(),
    silentMsMax: 300_000,
  });
  const machines = { provider, limit: callLimit(), now: Date.now };
  const world = openWorld(undefined, { types: [], machines });
  clock.now = () => world.clock.now();
  const path = await createStack(world, "app", { template: TEMPLATE });
  await world.pass(10_000);
  const status = async () => textAt((await world.send("GET", path)).body, "stack", "stack_status");
  return { world, path, status, calls: () => calls };
};

const never = () => new Unreachable("the machine does not answer", false);
const cutOff = () => new Unreachable("the machine ended the script with 255", true);

it("is deleted at once, while its creation still tries", async () => {
  const { world, path, status } = await openMachine([never()]);
  expect(await status()).toBe("CREATE_IN_PROGRESS");
  await world.send("DELETE", path);
  await world.pass(10_000);
  expect(await status()).toBe("DELETE_COMPLETE");
});

it("is deleted at once after its creation has failed", async () => {
  const { world, path, status } = await openMachine([never()]);
  await world.pass(400_000);
  expect(await status()).toBe("CREATE_FAILED");
  await world.send("DELETE", path);
  await world.pass(10_000);
  expect(await status()).toBe("DELETE_COMPLETE");
});

it("is abandoned when its creation has given up", async () => {
  const { world, path, status } = await openMachine([never()]);
  expect((await world.send("DELETE", `${path}/abandon`)).status).toBe(200);
  await world.pass(400_000);
  expect(await status()).toBe("DELETE_COMPLETE");
});

it.each([
  ["whose script was cut off", [cutOff(), never()]],
  ["that was reached later", [never(), "hearth-machine: busy=yes\n", never()]],
])("a machine %s is waited for", async (_, answers) => {
  const { world, path, status } = await openMachine(answers);
  await world.send("DELETE", path);
  await world.pass(60_000);
  expect(await status()).toBe("DELETE_IN_PROGRESS");
  await world.pass(400_000);
  expect(await status()).toBe("DELETE_FAILED");
});

it("a machine on which the script has failed is asked", async () => {
  const { world, path, status, calls } = await openMachine([
    never(),
    "hearth-machine: failed=no space is left\n",
    "hearth-machine: removed=yes\n",
  ]);
  expect(await status()).toBe("CREATE_FAILED");
  await world.send("DELETE", path);
  await world.pass(10_000);
  expect(await status()).toBe("DELETE_COMPLETE");
  expect(calls()).toBe(3);
});

it("a machine that cannot be reached is given up if its user wants that", async () => {
  const { world, path, status } = await openMachine([cutOff()]);
  await world.send("DELETE", `${path}?abandon_unreachable=true`);
  await world.pass(10_000);
  expect(await status()).toBe("DELETE_COMPLETE");
});

it("a machine that refuses has got nothing either", async () => {
  const { world, path, status } = await openMachine([never(), new Refused("another host key")]);
  await world.pass(10_000);
  expect(await status()).toBe("CREATE_FAILED");
  await world.send("DELETE", path);
  await world.pass(10_000);
  expect(await status()).toBe("DELETE_COMPLETE");
});

/** Stages 1 to 3: no poll of the server is ever served. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { report } from "#test/agents/diagnoses.ts";
import { openGateway } from "#test/agents/gateway.ts";
import { bootMachine, type MachineOptions } from "#test/agents/machine.ts";
import { openOwnServer } from "#test/agents/own-agent.ts";
import { metadataUrl, type Rig, until } from "#test/agents/rig.ts";
import { WEB, webTemplate } from "#test/agents/web-template.ts";
import { create } from "#test/aws/lane.ts";
import type { Case, Caused } from "./case.ts";

const NOT_BOOTED = { stage: 1, cause: "server_not_booted" } as const;
const NO_NETWORK = { stage: 2, cause: "no_network" } as const;
const NOT_REACHED = { stage: 3, cause: "metadata_not_reached" } as const;

const published = async (rig: Rig, name: string) => {
  const stack = await create(rig, name, webTemplate("true"));
  return { stack, url: await metadataUrl(rig, stack) };
};

const booted = async (
  rig: Rig,
  name: string,
  options: (url: string) => Promise<MachineOptions> | MachineOptions,
  ...reported: readonly string[]
): Promise<Caused> => {
  const { stack, url } = await published(rig, name);
  await bootMachine(rig, name, name, await options(url));
  const at = Date.now();
  if (reported.length > 0) await report(rig, stack, WEB, ...reported);
  return { stack, at };
};

const reportedDead: Case = {
  ...NOT_BOOTED,
  fault: "the machine dies in its boot, and its provisioner reports `ERROR`",
  certain: true,
  summary: /^server web is not running: reported ERROR /,
  secondsMax: 2,
  bring: async (rig) => {
    const { stack } = await published(rig, "dies");
    await (await bootMachine(rig, "dies", "dies", { boot: "kill -KILL $$" })).ended;
    await report(rig, stack, WEB, "--status", "ERROR");
    return { stack, at: Date.now() };
  },
};

const silentBoot: Case = {
  ...NOT_BOOTED,
  fault: "the machine hangs in its boot, and nothing is reported",
  certain: false,
  summary: /^server web has never polled, and nothing else is known of it/,
  secondsMax: 95,
  bring: (rig) => booted(rig, "hangs", () => ({ boot: "exec sleep 600" })),
};

const unreachable = async (url: string): Promise<MachineOptions> => {
  const gateway = await openGateway(url);
  await gateway.close();
  return { userData: gateway.through };
};

const withoutAddress: Case = {
  ...NO_NETWORK,
  fault: "the machine runs without an address, as its provisioner reports",
  certain: true,
  summary: /^server web runs without an IP address/,
  secondsMax: 95,
  bring: (rig) => booted(rig, "no-address", unreachable, "--status", "ACTIVE", "--no-address"),
};

const withoutRoute: Case = {
  ...NO_NETWORK,
  fault: "the machine has an address, and does not reach Hearth",
  certain: false,
  summary: /^server web runs at 192\.0\.2\.7 .* has never contacted Hearth/,
  secondsMax: 95,
  bring: (rig) =>
    booted(rig, "no-route", unreachable, "--status", "ACTIVE", "--address", "192.0.2.7"),
};

const fullDisk: Case = {
  ...NOT_REACHED,
  fault: "the bootstrap script fails",
  certain: true,
  summary: /^the bootstrap script of server web failed /,
  secondsMax: 5,
  bring: (rig) =>
    booted(rig, "full-disk", async (url) => ({
      userData: (await openGateway(url)).through,
      programs: { mkdir: "#!/bin/sh\nexit 1\n" },
    })),
};

const wrongSignature: Case = {
  ...NOT_REACHED,
  fault: "the signature in the agent's URL is wrong",
  certain: false,
  summary: /^server web has never polled successfully: a poll was refused .* not valid/,
  secondsMax: 5,
  bring: async (rig) => {
    const { stack, url } = await published(rig, "wrong-signature");
    const server = await openOwnServer(rig, "wrong-signature", []);
    const wrong = url.replace(/sig=.{8}/, "sig=AAAAAAAA");
    writeFileSync(join(server.root, "etc/hearth-agent.url"), wrong);
    server.start();
    await until("a poll is refused", () => server.log().includes("answered 403"));
    return { stack, at: Date.now() };
  },
};

const neverStarts: Case = {
  ...NOT_REACHED,
  fault: "the agent is installed, and its service does not start",
  certain: true,
  summary: /^the agent of server web was installed .* but has never polled$/,
  secondsMax: 155,
  bring: (rig) => booted(rig, "no-service", () => ({ hasService: false })),
};

export const BOOTS: readonly Case[] = [
  reportedDead,
  silentBoot,
  withoutAddress,
  withoutRoute,
  fullDisk,
  wrongSignature,
  neverStarts,
];

import { rmSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import type { JsonObject } from "#lib/json.ts";
import { type FolderMachine, openFolderMachine } from "../../ssh/folder-machine.ts";
import { bound, type DriftedObject, formerProvider, type OpenObject } from "./drifted-object.ts";

const SSH = {
  type: "Hearth::Machine::SSH",
  properties: {
    address: "192.0.2.10",
    host_key:
      "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGlvvPc2SCvTzFFUaCUUqY6SJDnP6yGEBQmM1w2cZ1hx machine",
    identity: "ops",
  },
};

const onMachine = (
  title: string,
  resources: JsonObject,
  changesOf: (machine: FolderMachine) => OpenObject["changes"],
): DriftedObject => ({
  title,
  resources,
  open: async () => {
    const machine = openFolderMachine();
    return {
      provided: { types: [], formerProvider, machines: { provider: machine.provider(), ...bound } },
      changes: changesOf(machine),
      goOn: machine.turnAgent,
      stop: async () => machine.remove(),
    };
  },
});

const onAgent = (
  type: string,
  properties: JsonObject,
  changesOf: (machine: FolderMachine) => OpenObject["changes"],
): DriftedObject =>
  onMachine(
    `\`${type}\``,
    {
      machine: SSH,
      it: { type, properties: { machine: { get_resource: "machine" }, ...properties } },
    },
    changesOf,
  );

const { uid, gid } = userInfo();
const UNIT = "[Service]\nExecStart=/usr/bin/web\n";

export const MACHINE_OBJECTS: readonly DriftedObject[] = [
  onMachine("`Hearth::Machine::SSH`", { it: SSH }, ({ at, reinstall }) => ({
    stopped: () => rmSync(at("run/hearth-agent")),
    gone: reinstall,
  })),
  onAgent(
    "Hearth::Machine::File",
    { path: "/etc/motd", content: "hello", owner: String(uid), group: String(gid) },
    ({ at }) => ({
      changed: () => writeFileSync(at("etc/motd"), "theirs"),
      gone: () => rmSync(at("etc/motd")),
      "related gone": () => rmSync(at("run/hearth-agent")),
    }),
  ),
  onAgent("Hearth::Machine::Service", { name: "web", unit: UNIT }, ({ at }) => ({
    changed: () => writeFileSync(at("etc/systemd/system/web.service"), "theirs"),
    stopped: () => rmSync(at("run/web.service")),
    gone: () => rmSync(at("etc/systemd/system/web.service")),
  })),
  onAgent("Hearth::Machine::Package", { name: "own" }, ({ at }) => ({
    gone: () => writeFileSync(at("states"), "installed base\n"),
  })),
];

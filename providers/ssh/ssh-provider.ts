import { createHash } from "node:crypto";
import type {
  Answer,
  Call,
  JsonObject,
  ObjectCall,
  ProvidedType,
  Provider,
} from "#provider/provider.ts";
import { CALL_SECONDS_MAX } from "#provider/read-provider.ts";
import { BOOT_PROPERTY, bootDataOf } from "#providers/boot-data.ts";
import { idOf } from "#providers/object-names.ts";
import { textOf } from "#providers/values.ts";
import {
  HOST_KEY_PATTERN,
  Refused,
  type RunOnMachine,
  readHostKey,
  type Target,
  Unreachable,
} from "./client.ts";
import { type Identities, keyFileOf } from "./identities.ts";
import {
  installScript,
  lookScript,
  type Owner,
  ownerScript,
  readSaid,
  removeScript,
  type Said,
} from "./scripts.ts";

export interface SshProvider extends Provider {
  readonly serverId: (token: string) => string;
  readonly waitsFor: (handle: string) => string | null;
  readonly hasNotReached: (handle: string) => boolean;
}

export const sshProvider = (backEnd: MachineBackEnd): SshProvider => ({
  provider: 1,
  name: "ssh",
  types: { "Hearth::Machine::SSH": machine(backEnd) },
  serverId: idOf,
  waitsFor: whySilent,
  hasNotReached,
});

class WentWrong extends Error {
  override readonly name = "WentWrong";
}

interface Installed {
  readonly metadataUrl: string;
  readonly stack: string;
  readonly server: string;
}

/** Hearth::Machine::SSH: an existing machine, on which Hearth installs its agent over SSH. */
export interface MachineBackEnd {
  readonly run: RunOnMachine;
  readonly identities: Identities;
  /** Must give the same script for the same values, because its hash is the installed version. */
  readonly bootstrap: (values: Installed) => Promise<string>;
  /** Whether a URL can only be reached from the same machine. */
  readonly isLocal: (url: string) => boolean;
  readonly now: () => number;
  readonly silentMsMax: number;
}

const POLL_SECONDS = 3;
const BUSY_SECONDS = 2;
const PORT = 22;
const PORT_MAX = 65_535;

const ownerOf = (call: Call, id: string): Owner => ({ ...call, id });

const targetOf = (
  { identities }: MachineBackEnd,
  { properties, tenant }: Pick<Call, "properties" | "tenant">,
): Target => {
  const hostKey = readHostKey(textOf(properties["host_key"]));
  if (hostKey === null) throw new Refused("host_key is not a line of a public host key");
  const found = keyFileOf(identities, tenant, textOf(properties["identity"]));
  if ("why" in found) throw new Refused(found.why);
  const port = properties["port"];
  return {
    address: textOf(properties["address"]),
    port: typeof port === "number" ? port : PORT,
    user: textOf(properties["user"]),
    hostKey,
    keyFile: found.keyFile,
  };
};

const ask = async (
  { run }: MachineBackEnd,
  target: Target,
  script: string,
  { signal }: Pick<Call, "signal">,
): Promise<Said> => {
  const { code, stdout, stderr } = await run(target, script, signal);
  const said = readSaid(stdout);
  const [refused, failed] = [said.get("refused"), said.get("failed")];
  if (refused !== undefined) throw new Refused(refused);
  if (failed !== undefined) throw new WentWrong(failed);
  if (said.size > 0) return said;
  // Every script prints a last line. Without one the machine may be shutting down.
  const why = `the machine ended the script with ${code}: ${stderr.trim().slice(-200)}`;
  throw new Unreachable(why, true);
};

const attributesOf = (target: Target, said: Said): JsonObject => ({
  address: target.address,
  host_key_fingerprint: target.hostKey.fingerprint,
  hostname: said.get("hostname") ?? "",
  os: said.get("os") ?? "",
});

const version = (script: string): string => createHash("sha256").update(script).digest("hex");

const install = async (backEnd: MachineBackEnd, call: Call, id: string): Promise<Answer> => {
  const target = targetOf(backEnd, call);
  const metadataUrl = bootDataOf(call.properties).metadataUrl ?? "";
  if (backEnd.isLocal(metadataUrl) && !backEnd.isLocal(`http://${hostOf(target.address)}/`)) {
    throw new Refused(
      `its agent would poll ${new URL(metadataUrl).origin}, which other machines cannot reach`,
    );
  }
  const bootstrap = await backEnd.bootstrap({
    metadataUrl,
    stack: call.stackName,
    server: call.resourceName,
  });
  const mustBeOwn = call.action === "UPDATE";
  const given = { bootstrap, version: version(bootstrap), mustBeOwn };
  const said = await ask(backEnd, target, installScript(ownerOf(call, id), given), call);
  if (said.has("gone")) return { state: "replace" };
  return said.has("ready")
    ? { state: "finished", physicalId: id, attributes: attributesOf(target, said) }
    : { state: "waiting", physicalId: id, pollAfterSeconds: BUSY_SECONDS };
};

const hostOf = (address: string): string => (address.includes(":") ? `[${address}]` : address);

const remove = async (backEnd: MachineBackEnd, call: Call, id: string): Promise<Answer> => {
  const said = await ask(backEnd, targetOf(backEnd, call), removeScript(ownerOf(call, id)), call);
  return said.has("busy")
    ? { state: "waiting", physicalId: id, pollAfterSeconds: BUSY_SECONDS }
    : { state: "finished" };
};

/**
 * The handle of a waiting operation: since when the machine has been silent (milliseconds since
 * 1970), an exclamation mark if no connection was made this time, and the reason.
 */
const SILENT = /^(\d+)(!?) (.*)$/s;

const whySilent = (handle: string): string | null => SILENT.exec(handle)?.[3] ?? null;

const hasNotReached = (handle: string): boolean => SILENT.exec(handle)?.[2] === "!";

/** All scripts can be repeated, so an operation whose outcome is unknown waits and tries again. */
const patiently = async (
  { now, silentMsMax }: MachineBackEnd,
  id: string,
  handle: string,
  work: () => Promise<Answer>,
): Promise<Answer> => {
  try {
    return await work();
  } catch (error) {
    // Nothing was installed. With an id, a delete would need a machine that accepts the login.
    if (error instanceof Refused) return { state: "failed", reason: error.message };
    if (error instanceof WentWrong) {
      return { state: "failed", reason: error.message, physicalId: id };
    }
    if (!(error instanceof Unreachable)) throw error;
    const since = Number(SILENT.exec(handle)?.[1] ?? now());
    if (now() - since >= silentMsMax) {
      const physicalId = error.mayHaveRun ? id : undefined;
      return { state: "failed", reason: error.message, physicalId };
    }
    return {
      state: "waiting",
      physicalId: id,
      handle: `${since}${error.mayHaveRun ? "" : "!"} ${error.message}`,
      pollAfterSeconds: POLL_SECONDS,
    };
  }
};

const checked = async (backEnd: MachineBackEnd, call: ObjectCall): Promise<Answer> => {
  const target = targetOf(backEnd, call);
  const said = await ask(backEnd, target, lookScript(ownerOf(call, call.physicalId)), call);
  if (said.has("gone")) return { state: "gone" };
  return said.has("ready")
    ? { state: "finished", attributes: attributesOf(target, said) }
    : { state: "throttled", afterSeconds: BUSY_SECONDS };
};

const look = async (backEnd: MachineBackEnd, call: ObjectCall): Promise<Answer> => {
  try {
    return await checked(backEnd, call);
  } catch (error) {
    const isKnown =
      error instanceof Refused || error instanceof WentWrong || error instanceof Unreachable;
    if (!isKnown) throw error;
    return { state: "failed", reason: error.message };
  }
};

const operate = (backEnd: MachineBackEnd, call: Call, handle = ""): Promise<Answer> => {
  const id = call.physicalId ?? idOf(call.token);
  return patiently(backEnd, id, handle, () =>
    call.action === "DELETE" ? remove(backEnd, call, id) : install(backEnd, call, id),
  );
};

const NOBODY: Owner = { id: "", tenant: "", stackId: "", stackName: "", resourceName: "" };

const list = async (backEnd: MachineBackEnd, properties: JsonObject): Promise<string[]> => {
  const { identities } = backEnd.identities;
  const tenant = identities.get(textOf(properties["identity"]))?.projects[0] ?? "";
  const { signal } = new AbortController();
  const target = targetOf(backEnd, { tenant, properties });
  const said = await ask(backEnd, target, ownerScript(NOBODY), { signal });
  return [said.get("owner") ?? ""].filter((id) => id !== "");
};

/** These patterns prevent that a value looks like an option on the command line of `ssh`. */
const ADDRESS = "[A-Za-z0-9:][A-Za-z0-9.:_-]{0,252}";
const USER = "[A-Za-z_][A-Za-z0-9._-]{0,31}";

const machine = (backEnd: MachineBackEnd): ProvidedType => ({
  description: "A machine that exists, where Hearth's agent is installed over SSH.",
  properties: {
    address: {
      type: "string",
      description: "The name or the address of the machine.",
      required: true,
      updateAllowed: true,
      constraints: [{ allowedPattern: ADDRESS }],
    },
    port: {
      type: "integer",
      description: "The port of its sshd.",
      default: PORT,
      updateAllowed: true,
      constraints: [{ range: { min: 1, max: PORT_MAX } }],
    },
    user: {
      type: "string",
      description: "Root, or a user who may use sudo without a password.",
      default: "root",
      updateAllowed: true,
      constraints: [{ allowedPattern: USER }],
    },
    host_key: {
      type: "string",
      description:
        "The public host key of the machine, as in /etc/ssh/ssh_host_ed25519_key.pub. A machine with another one is refused.",
      required: true,
      updateAllowed: true,
      constraints: [{ allowedPattern: HOST_KEY_PATTERN }],
    },
    identity: {
      type: "string",
      description: "The name of a private key in the operator's file.",
      required: true,
      updateAllowed: true,
    },
    ...BOOT_PROPERTY,
  },
  attributes: {
    address: { type: "string", description: "The name or the address of the machine." },
    host_key_fingerprint: {
      type: "string",
      description: "The fingerprint of its host key, as OpenSSH shows it.",
    },
    hostname: { type: "string", description: "What the machine calls itself." },
    os: { type: "string", description: "What the machine calls its operating system." },
  },
  tokens: "kept",
  callSecondsMax: CALL_SECONDS_MAX,
  create: (call) => operate(backEnd, call),
  update: (call) => operate(backEnd, call),
  delete: (call) => operate(backEnd, call),
  poll: (call) => operate(backEnd, call, call.handle),
  cancel: async () => undefined,
  check: (call) => look(backEnd, call),
  list: (properties) => list(backEnd, properties),
});

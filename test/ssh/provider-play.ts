import { checkProvider } from "#provider/kit/check-provider.ts";
import type { Answer, JsonObject, ProvidedType, Provider } from "#provider/provider.ts";
import { readProvider } from "#provider/read-provider.ts";
import { runOverSsh } from "#providers/ssh/client.ts";
import { type MachineBackEnd, sshProvider } from "#providers/ssh/ssh-provider.ts";
import { bootstrapScript } from "../../apps/cli/server/bootstrap-script.ts";
import { callOf } from "../contract/provider-call.ts";
import { make, type Result, unmake } from "../contract/spoilt-operations.ts";
import { type CuttingTcp, DIRECTIONS, type Direction } from "./cutting-tcp.ts";
import type { Machine } from "./machine.ts";

const TYPE = "Hearth::Machine::SSH";
const PROJECTS = ["kit", "demo"];
const SILENT_MS_MAX = 20_000;
const PIECES_MAX = 60;
/** Nothing listens at this address, so the agent of a test polls in vain. */
const METADATA_URL = "http://127.0.0.1:1/v1/metadata?signature=secret";

const scripts = new Map<string, Promise<string>>();

/** In a clone, each script would bundle the agent anew. */
const bootstrapOnce = (values: Parameters<MachineBackEnd["bootstrap"]>[0]): Promise<string> => {
  const key = JSON.stringify(values);
  const made =
    scripts.get(key) ??
    bootstrapScript({ ...values, agent: "hearth", privileged: true, authority: null });
  scripts.set(key, made);
  return made;
};

const providerFor = ({ keyFile }: Machine) =>
  sshProvider({
    run: runOverSsh,
    identities: {
      identities: new Map([["root", { key_file: keyFile, projects: PROJECTS }]]),
      caFile: null,
    },
    bootstrap: bootstrapOnce,
    isLocal: () => true,
    now: Date.now,
    silentMsMax: SILENT_MS_MAX,
  });

const pluginFor = (machine: Machine): Provider => {
  const { provider, name, types } = providerFor(machine);
  return readProvider({ provider, name, types });
};

const typeFor = (machine: Machine): ProvidedType => {
  const type = providerFor(machine).types[TYPE];
  if (type === undefined) throw new Error(`the provider has no ${TYPE}`);
  return type;
};

const propertiesOf = ({ port, hostKey }: Machine, given: JsonObject = {}): JsonObject => ({
  address: "127.0.0.1",
  port,
  user: "root",
  host_key: hostKey,
  identity: "root",
  hearth_boot: { metadata_url: METADATA_URL },
  ...given,
});

export const playKit = async (machine: Machine): Promise<readonly Result[]> => {
  const properties = propertiesOf(machine);
  const found = await checkProvider(
    {
      type: TYPE,
      load: async () => pluginFor(machine),
      properties,
      changed: { ...properties, address: "localhost" },
      failing: { ...properties, identity: "nobody" },
    },
    () => undefined,
  );
  return found.map(({ name, verdict, text, calls }) => ({
    name: `${TYPE}: ${name}`,
    wrong: verdict === "failed" ? [text, ...calls] : [],
  }));
};

export const whatIsLeft = (machine: Machine, before: readonly string[]): readonly string[] => {
  const after = machine.files();
  return [
    ...after.filter((line) => !before.includes(line)).map((line) => `left: ${line}`),
    ...before.filter((line) => !after.includes(line)).map((line) => `missing: ${line}`),
    ...(machine.run("pgrep -f '[h]earth-agent.mjs' || true") === ""
      ? []
      : ["the agent still runs"]),
  ];
};

interface Refusal {
  readonly name: string;
  readonly given: JsonObject;
  readonly reason: RegExp;
  readonly before?: string;
  readonly after?: string;
}

const otherKey = (machine: Machine): string =>
  machine.run("cd /tmp && ssh-keygen -q -t ed25519 -N '' -f k && cat k.pub && rm k k.pub");

const refusalsOf = (machine: Machine): readonly Refusal[] => [
  {
    name: "another host key",
    given: { host_key: otherKey(machine) },
    reason: /has the host key SHA256:\S+, and the pinned one is SHA256:\S+$/,
  },
  {
    name: "another kind of host key",
    given: {
      host_key: `ssh-rsa ${Buffer.from("\0\0\0\x07ssh-rsa".padEnd(80)).toString("base64")}`,
    },
    reason: /no host key of the pinned kind/,
  },
  {
    name: "a user whose sudo asks for a password",
    given: { user: "asked" },
    reason: /^asked may not use sudo without a password: sudo: a password is required$/,
  },
  {
    name: "a user whose sudo wants a terminal",
    given: { user: "typist" },
    reason: /^typist may not use sudo without a password: sudo: sorry, you must have a tty/,
  },
  { name: "another user", given: { user: "nobody" }, reason: /does not let nobody in/ },
  {
    name: "an agent of somebody else",
    given: {},
    before: "mkdir -p /opt/hearth",
    after: "rmdir /opt/hearth",
    reason: /\/opt\/hearth is there/,
  },
  {
    name: "a machine without Node",
    given: {},
    before: "mount --bind /bin/false /usr/local/bin/node",
    after: "umount /usr/local/bin/node",
    reason: /no Node 20.3 or later/,
  },
];

const playRefusal = async (
  machine: Machine,
  { name, given, reason, before = "", after = "" }: Refusal,
): Promise<Result> => {
  const files = machine.files();
  machine.run(before);
  const call = callOf(`refused/${name}`, { properties: propertiesOf(machine, given) });
  const answer = await make(typeFor(machine), call);
  machine.run(after);
  const text = answer.state === "failed" ? answer.reason : JSON.stringify(answer);
  const isRefused = answer.state === "failed" && answer.physicalId === undefined;
  const wrong = isRefused && reason.test(text) ? [] : [text];
  return { name: `refused: ${name}`, wrong: [...wrong, ...whatIsLeft(machine, files)] };
};

export const playRefusals = async (machine: Machine): Promise<readonly Result[]> => {
  const results: Result[] = [];
  for (const one of refusalsOf(machine)) results.push(await playRefusal(machine, one));
  const type = typeFor(machine);
  const call = callOf("first", { properties: propertiesOf(machine) });
  const made = await make(type, call);
  const id = made.state === "finished" ? (made.physicalId ?? "") : "";
  const others = [
    [{ stackId: "stack-2" }, /belongs to the resource thing of the stack app$/],
    [{ tenant: "kit" }, /belongs to a stack of another project$/],
  ] as const;
  for (const [given, reason] of others) {
    const answer = await make(type, { ...call, ...given, token: "second" });
    const text = answer.state === "failed" ? answer.reason : JSON.stringify(answer);
    results.push({ name: `refused: ${reason.source}`, wrong: reason.test(text) ? [] : [text] });
  }
  await type.delete({ ...call, action: "DELETE", physicalId: id });
  return results;
};

export const playSudo = async (machine: Machine): Promise<readonly Result[]> => {
  const files = machine.files();
  const type = typeFor(machine);
  const call = callOf("sudo", { properties: propertiesOf(machine, { user: "deployer" }) });
  const made = await make(type, call);
  const runs = machine.run("systemctl show --property User,ActiveState hearth-agent");
  const id = "physicalId" in made ? (made.physicalId ?? "") : "";
  const checked = await type.check?.({ ...call, action: "CHECK", physicalId: id });
  const gone = await unmake(type, call, id);
  const wrong = [made, checked, gone]
    .filter((answer) => answer?.state !== "finished")
    .map((answer) => JSON.stringify(answer));
  const isRoot =
    runs === "User=root\nActiveState=active" || runs === "ActiveState=active\nUser=root";
  return [
    {
      name: "a user with sudo installs the agent, and removes it",
      wrong: [...wrong, ...(isRoot ? [] : [runs]), ...whatIsLeft(machine, files)],
    },
  ];
};

const cutOnce = async (
  machine: Machine,
  proxy: CuttingTcp,
  plan: {
    readonly action: "create" | "delete";
    readonly direction: Direction;
    readonly at: number;
  },
): Promise<{ readonly wrong: readonly string[]; readonly wasCut: boolean }> => {
  const { action, direction, at } = plan;
  const type = typeFor(machine);
  const properties = propertiesOf(machine, { port: proxy.port });
  const call = callOf(`cut/${action}/${direction}/${at}`, { properties });
  if (action === "create") proxy.cut(direction, at);
  const made = await make(type, call);
  const runs = machine.run("systemctl is-active hearth-agent");
  if (action === "delete") proxy.cut(direction, at);
  const id = "physicalId" in made ? (made.physicalId ?? "") : "";
  const gone = await unmake(type, call, id);
  const show = (what: string, answer: Answer) =>
    answer.state === "finished" ? [] : [`${what} ${at}: ${JSON.stringify(answer)}`];
  return {
    wrong: [
      ...show("create", made),
      ...show("delete", gone),
      ...(runs === "active" ? [] : [`after the creation the agent is ${runs}`]),
    ],
    wasCut: proxy.wasCut(),
  };
};

export const CUTS = (["create", "delete"] as const).flatMap((action) =>
  DIRECTIONS.map((direction) => ({ action, direction })),
);

export const playCuts = async (
  machine: Machine,
  proxy: CuttingTcp,
  { action, direction }: (typeof CUTS)[number],
): Promise<Result & { readonly faults: number }> => {
  const files = machine.files();
  const wrong: string[] = [];
  let at = 0;
  for (; at < PIECES_MAX; at += 1) {
    const seen = await cutOnce(machine, proxy, { action, direction, at });
    wrong.push(...seen.wrong, ...whatIsLeft(machine, files));
    if (!seen.wasCut) break;
  }
  if (at < 2) wrong.push("no connection was cut");
  return { name: `${action}, cut after each of ${at} pieces ${direction}`, wrong, faults: at };
};

/** Servers that ask for the same address and replace each other, on a double or a real engine. */
import type { Answer, Call, JsonObject, ProvidedType } from "#provider/provider.ts";
import { openEngine } from "#providers/docker/engine/client.ts";
import { volumesOf } from "#providers/docker/engine/volumes.ts";
import { LABELS } from "#providers/docker/objects.ts";
import { callOf } from "../contract/provider-call.ts";
import { make, playFaults, type Result, unmake } from "../contract/spoilt-operations.ts";
import type { CuttingProxy } from "./cutting-proxy.ts";
import { IMAGE, type SpoiltCase, typeAt, withNet } from "./provider-play.ts";

const SERVER = "OS::Nova::Server";
/** Docker's timestamps have fractions of a second. */
const PAUSE_MS = 20;

export interface Version {
  readonly call: Call;
  readonly id: string;
  readonly answer: Answer;
}

export const createVersion = async (
  socketPath: string,
  token: string,
  properties: JsonObject,
  more: Partial<Call> = {},
): Promise<Version> => {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  const given = { image: IMAGE, flavor: "1c-64m", ...properties };
  const call = callOf(`handover/${token}/${Date.now()}`, { properties: given, ...more });
  const answer = await make(typeAt(socketPath, SERVER), call);
  return { call, answer, id: "physicalId" in answer ? (answer.physicalId ?? "") : "" };
};

export const addressOf = async (socketPath: string, { call, id }: Version): Promise<unknown> => {
  const type = typeAt(socketPath, SERVER);
  const found = await type.check?.({ ...call, action: "CHECK", physicalId: id });
  return found?.state === "finished" ? (found.attributes?.["first_address"] ?? "") : found?.state;
};

export const removeVersion = async (socketPath: string, { call, id }: Version): Promise<string> =>
  (await unmake(typeAt(socketPath, SERVER), call, id)).state;

export const handoversAt = async (socketPath: string): Promise<readonly string[]> =>
  (await volumesOf(openEngine({ socketPath })).list({ [LABELS.kind]: "handover" })).map(
    ({ Name: name }) => name,
  );

export const withPort = (
  socketPath: string,
  cidr: string,
  use: (networks: readonly JsonObject[]) => Promise<readonly Result[]>,
): Promise<readonly Result[]> => {
  const withOne = async (
    { type, properties }: SpoiltCase,
    useOne: (id: string) => Promise<readonly Result[]>,
  ): Promise<readonly Result[]> => {
    const provided: ProvidedType = typeAt(socketPath, type);
    const call = callOf(`handover/${type}`, { properties });
    const made = await make(provided, call);
    const id = "physicalId" in made ? (made.physicalId ?? "") : "";
    const results = await useOne(id);
    await unmake(provided, call, id);
    return results;
  };
  return withNet(socketPath, cidr, (subnet, port) =>
    withOne(subnet, () => withOne(port, (id) => use([{ port: id }]))),
  );
};

const NAME = "an address goes to the server that replaces another one, and back in a rollback";

const story = async (socketPath: string, networks: readonly JsonObject[]): Promise<Result> => {
  const create = (token: string) => createVersion(socketPath, token, { networks });
  const at = (version: Version) => addressOf(socketPath, version);
  const remove = (version: Version) => removeVersion(socketPath, version);
  const old = await create("old");
  const address = await at(old);
  const next = await create("next");
  const taken = [await at(old), await at(next)];
  const rolledBack = await remove(next);
  const back = await at(old);
  const third = await create("third");
  const ends = [await remove(old), await at(third), await remove(third)];
  const left = await handoversAt(socketPath);
  const seen = [old.answer.state, next.answer.state, taken, rolledBack, back, ends, left];
  const wanted = [
    "finished",
    "finished",
    ["", address],
    "finished",
    address,
    ["finished", address, "finished"],
    [],
  ];
  const isRight = JSON.stringify(seen) === JSON.stringify(wanted) && address !== "";
  return { name: NAME, wrong: isRight ? [] : [JSON.stringify(seen), JSON.stringify(next.answer)] };
};

export const playHandover = (socketPath: string, cidr: string): Promise<readonly Result[]> =>
  withPort(socketPath, cidr, async (networks) => [await story(socketPath, networks)]);

const MISPLACED = -1;

export const playHandoverFaults = (
  direct: string,
  proxy: CuttingProxy,
  cidr: string,
): Promise<readonly Result[]> =>
  withPort(direct, cidr, async (networks) => {
    const old = await createVersion(direct, "old", { networks });
    const address = await addressOf(direct, old);
    const [own, spoilt] = [typeAt(direct, SERVER), typeAt(proxy.socketPath, SERVER)];
    const count = async (): Promise<number> => {
      const others = ((await own.list?.({})) ?? []).length - 1;
      const isBack = (await addressOf(direct, old)) === address;
      const noted = (await handoversAt(direct)).length;
      return isBack === (others === 0) && noted === others ? others : MISPLACED;
    };
    const properties = { image: IMAGE, flavor: "1c-64m", networks };
    const name = `${SERVER} at the address of another`;
    const results = await playFaults({ name, own, spoilt, properties, count }, proxy);
    await removeVersion(direct, old);
    return results;
  });

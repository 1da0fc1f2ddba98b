/** Servers that name one port and replace each other, on the double or on real services. */
import type { Answer, Call, ProvidedType } from "#provider/provider.ts";
import { callOf } from "../contract/provider-call.ts";
import { make, type Result, unmake } from "../contract/spoilt-operations.ts";
import { type Fixture, type Stage, typeAt, withOne } from "./provider-play.ts";

interface Version {
  readonly call: Call;
  readonly id: string;
  readonly answer: Answer;
}

/** Nova's timestamps are in seconds, and the earlier version must have an earlier one. */
const PAUSE_MS = 1_500;

const create = async (
  { patience }: Stage,
  server: ProvidedType,
  token: string,
  port: string,
): Promise<Version> => {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  const properties = { image: "cirros", flavor: "m1.tiny", networks: [{ port }] };
  const call = callOf(`handover/${token}/${Date.now()}`, { properties });
  const answer = await make(server, call, patience);
  return { call, answer, id: "physicalId" in answer ? (answer.physicalId ?? "") : "" };
};

const addressOf = async (server: ProvidedType, { call, id }: Version): Promise<unknown> => {
  const found = await server.check?.({ ...call, action: "CHECK", physicalId: id });
  return found?.state === "finished" ? (found.attributes?.["first_address"] ?? "") : found?.state;
};

const remove = async ({ patience }: Stage, server: ProvidedType, { call, id }: Version) =>
  (await unmake(server, call, id, patience)).state;

const story = async (stage: Stage, port: string): Promise<readonly Result[]> => {
  const server = typeAt(stage, "OS::Nova::Server");
  const old = await create(stage, server, "old", port);
  const address = await addressOf(server, old);
  const next = await create(stage, server, "next", port);
  const taken = [await addressOf(server, old), await addressOf(server, next)];
  const rolledBack = await remove(stage, server, next);
  const back = await addressOf(server, old);
  const third = await create(stage, server, "third", port);
  const ends = [await remove(stage, server, old), await addressOf(server, third)];
  const last = await remove(stage, server, third);
  const seen = [old.answer.state, next.answer.state, taken, rolledBack, back, ends, last];
  const wanted = [
    "finished",
    "finished",
    ["", address],
    "finished",
    address,
    ["finished", address],
    "finished",
  ];
  const isRight = JSON.stringify(seen) === JSON.stringify(wanted) && address !== "";
  const name = "a port goes to the server that replaces another one, and back in a rollback";
  return [{ name, wrong: isRight ? [] : [JSON.stringify(seen), JSON.stringify(next.answer)] }];
};

export const playHandover = (stage: Stage, { network }: Fixture): Promise<readonly Result[]> =>
  withOne(stage, { type: "OS::Neutron::Port", properties: { network } }, (port) =>
    story(stage, port),
  );

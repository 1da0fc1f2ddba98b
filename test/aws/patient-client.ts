/**
 * A client that repeats failed reads, as users of an API do. On a slow machine a function or a
 * service can run into its time limit.
 */
import type { Client } from "#client/client.ts";
import { Unreachable } from "#client/errors.ts";
import { RequestError } from "#lib/errors.ts";
import { pause } from "./eventually.ts";

const TRIES_MAX = 5;
const BETWEEN_MS = 1_000;

/** A 500 is a fault of Hearth, so it is not retried. */
const mayPass = (error: unknown): boolean =>
  error instanceof Unreachable || (error instanceof RequestError && error.status > 500);

const again = async <Answer>(what: string, ask: () => Promise<Answer>): Promise<Answer> => {
  for (let tries = 1; tries < TRIES_MAX; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!mayPass(error)) throw error;
      console.log(`read again: ${what}, after ${String(error)}`);
      await pause(BETWEEN_MS);
    }
  }
  return ask();
};

export const patientClient = (client: Client): Client => ({
  request: (method, path, answer, body) => {
    const ask = () => client.request(method, path, answer, body);
    return method === "GET" ? again(path, ask) : ask();
  },
  text: (path) => again(path, () => client.text(path)),
  findStack: (nameOrId) => again(nameOrId, () => client.findStack(nameOrId)),
  stackBelow: (top, names) =>
    again(`stacks below ${top.stack_name}`, () => client.stackBelow(top, names)),
  events: (stack, query) =>
    again(`events of ${stack.stack_name}`, () => client.events(stack, query)),
  resources: (stack, query) =>
    again(`resources of ${stack.stack_name}`, () => client.resources(stack, query)),
});

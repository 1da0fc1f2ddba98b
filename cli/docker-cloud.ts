/** `--docker`: servers are containers of an engine on this machine. */
import { homedir } from "node:os";
import { dockerProvider } from "#providers/docker/docker-provider.ts";
import { findEngine, NoEngine, readAddress } from "#providers/docker/engine/address.ts";
import { EngineUnreachable, isSuccess, openEngine } from "#providers/docker/engine/client.ts";
import type { ServerProvider } from "#providers/server-provider.ts";
import { agentProgram } from "./packaged-files.ts";

/** True: it is found as the `docker` command finds it. Throws NoEngine. */
export const cloudOf = async (given: string | true): Promise<ServerProvider> => {
  const address =
    given === true ? findEngine({ environment: process.env, home: homedir() }) : readAddress(given);
  const engine = openEngine(address);
  const place = "socketPath" in address ? address.socketPath : `${address.host}:${address.port}`;
  try {
    const answer = await engine.ask({ method: "GET", path: "/_ping" });
    if (!isSuccess(answer)) throw new NoEngine(`Docker at ${place} answers ${answer.status}.`);
  } catch (error) {
    if (!(error instanceof EngineUnreachable)) throw error;
    throw new NoEngine(`Docker at ${place} does not answer (${error.message}).`, { cause: error });
  }
  return dockerProvider(engine, agentProgram);
};

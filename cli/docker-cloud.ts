/** `--docker`: servers are containers of an engine on this machine. */
import { homedir } from "node:os";
import { dockerProvider } from "#providers/docker/docker-provider.ts";
import { findEngine, NoEngine, readAddress } from "#providers/docker/engine/address.ts";
import { EngineUnreachable, isSuccess, openEngine } from "#providers/docker/engine/client.ts";
import { networksOf } from "#providers/docker/engine/networks.ts";
import type { ServerProvider } from "#providers/server-provider.ts";
import { agentProgram } from "./packaged-files.ts";

export interface DockerOptions {
  /** True: it is found as the `docker` command finds it. */
  readonly docker: string | true;
  /** What servers join whose template names no network. Absent: the engine's own bridge. */
  readonly dockerNetwork?: string | undefined;
}

/** Throws NoEngine. */
export const cloudOf = async ({
  docker,
  dockerNetwork,
}: DockerOptions): Promise<ServerProvider> => {
  const address =
    docker === true
      ? findEngine({ environment: process.env, home: homedir() })
      : readAddress(docker);
  const engine = openEngine(address);
  const place = "socketPath" in address ? address.socketPath : `${address.host}:${address.port}`;
  try {
    const answer = await engine.ask({ method: "GET", path: "/_ping" });
    if (!isSuccess(answer)) throw new NoEngine(`Docker at ${place} answers ${answer.status}.`);
    if (dockerNetwork !== undefined && !(await networksOf(engine).inspect(dockerNetwork))) {
      throw new NoEngine(
        `Docker at ${place} has no network ${dockerNetwork}. Make it: docker network create ${dockerNetwork}`,
      );
    }
  } catch (error) {
    if (!(error instanceof EngineUnreachable)) throw error;
    throw new NoEngine(`Docker at ${place} does not answer (${error.message}).`, { cause: error });
  }
  return dockerProvider(engine, { agentProgram, defaultNetwork: dockerNetwork ?? null });
};

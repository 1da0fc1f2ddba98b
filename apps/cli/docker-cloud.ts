import { homedir } from "node:os";
import { type BackEnd, backEndOf } from "#providers/docker/back-end.ts";
import { dockerProvider } from "#providers/docker/docker-provider.ts";
import { findEngine, NoEngine, readAddress } from "#providers/docker/engine/address.ts";
import { EngineUnreachable, isSuccess, openEngine } from "#providers/docker/engine/client.ts";
import { networksOf } from "#providers/docker/engine/networks.ts";
import { listenForMetadata } from "#providers/docker/metadata/metadata-server.ts";
import type { ServerProvider } from "#providers/server-provider.ts";
import { agentProgram } from "./packaged-files.ts";

export interface DockerOptions {
  /** With true, Hearth searches for the engine as the `docker` command does. */
  readonly docker: string | true;
  readonly dockerNetwork?: string | undefined;
  readonly dockerMetadata?: MetadataPlace | true | undefined;
}

interface MetadataPlace {
  readonly address: string;
  readonly port: number | null;
}

const METADATA_ADDRESS = "169.254.169.254";
const METADATA_PORT = 80;

const startMetadata = async (backEnd: BackEnd, given: MetadataPlace | true): Promise<void> => {
  const place = given === true ? { address: METADATA_ADDRESS, port: null } : given;
  const { address } = place;
  try {
    await listenForMetadata(backEnd, { address, port: place.port ?? METADATA_PORT });
  } catch (error) {
    const isForeign = error instanceof Error && "code" in error && error.code === "EADDRNOTAVAIL";
    if (!isForeign) throw error;
    throw new NoEngine(
      `${address} is not an address of this machine. Give it one: ip address add ${address}/32 dev lo`,
      { cause: error },
    );
  }
};

export const cloudOf = async ({
  docker,
  dockerNetwork,
  dockerMetadata,
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
  const backEnd = backEndOf(engine, { agentProgram, defaultNetwork: dockerNetwork ?? null });
  if (dockerMetadata !== undefined) await startMetadata(backEnd, dockerMetadata);
  return dockerProvider(backEnd);
};

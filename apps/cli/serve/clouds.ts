import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import { parse } from "yaml";
import { openMode, whyUnreadable } from "#host/operator-files.ts";
import { type BackEnd, backEndOf } from "#providers/docker/back-end.ts";
import { dockerProvider } from "#providers/docker/docker-provider.ts";
import { findEngine, NoEngine, readAddress } from "#providers/docker/engine/address.ts";
import { EngineUnreachable, isSuccess, openEngine } from "#providers/docker/engine/client.ts";
import { networksOf } from "#providers/docker/engine/networks.ts";
import { listenForMetadata } from "#providers/docker/metadata/metadata-server.ts";
import { readProjects } from "#providers/openstack/account/projects.ts";
import { openSession } from "#providers/openstack/account/session.ts";
import { NoProject } from "#providers/openstack/cloud.ts";
import { openStackProvider } from "#providers/openstack/openstack-provider.ts";
import { OperatorFileRefused, unusableFile } from "#providers/operator-file.ts";
import type { ServerProvider } from "#providers/server-provider.ts";
import { runOverSsh } from "#providers/ssh/client.ts";
import { type Identities, readIdentities } from "#providers/ssh/identities.ts";
import { type SshProvider, sshProvider } from "#providers/ssh/ssh-provider.ts";
import { readAuthority } from "../connection/certificate-authority.ts";
import { codeOf } from "../failure.ts";
import { agentProgram } from "../packaged-files.ts";
import { bootstrapScript } from "../server/bootstrap-script.ts";
import { leadsToOwnMachine } from "../session.ts";

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
    if (codeOf(error) !== "EADDRNOTAVAIL") throw error;
    throw new NoEngine(
      `${address} is not an address of this machine. Give it one: ip address add ${address}/32 dev lo`,
      { cause: error },
    );
  }
};

export const dockerOf = async ({
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

const secretOf = (file: string, path: string): string => {
  const whole = resolve(dirname(file), path);
  const secret = operatorText(whole);
  const mode = openMode(whole, "the secret of a project");
  if (mode === null) return secret;
  throw unusableFile(
    whole,
    `it gives rights to every user of this machine (mode ${mode}). Run chmod o= on it if nobody has read it`,
  );
};

export const openStackOf = (file: string): ServerProvider => {
  const places = { file: (path: string) => secretOf(file, path), environment: process.env };
  const credentials = readProjects(operatorData(file), file, places);
  const clouds = new Map([...credentials].map(([name, one]) => [name, openSession(one)] as const));
  return openStackProvider((tenant) => {
    const cloud = clouds.get(tenant);
    if (cloud !== undefined) return cloud;
    throw new NoProject(`The file of --openstack names no project ${tenant}.`);
  });
};

/** A machine that boots is silent for a while, but a missing one must not hold up a stack. */
const SILENT_MS_MAX = 300_000;

/**
 * Paths are relative to the folder of the file. Each key is read at the start, so that a wrong path
 * is found before a machine is reached.
 */
const located = ({ identities, caFile }: Identities, file: string): Identities => {
  const place = dirname(resolve(file));
  const found = [...identities].map(([name, identity]) => {
    const keyFile = resolve(place, identity.key_file);
    operatorText(keyFile);
    return [name, { ...identity, key_file: keyFile }] as const;
  });
  return { identities: new Map(found), caFile: caFile && resolve(place, caFile) };
};

export const machinesOf = (file: string): SshProvider => {
  const identities = located(readIdentities(operatorData(file), file), file);
  const { caFile } = identities;
  const authority = caFile === null ? null : readAuthority(caFile, "ca_file");
  return sshProvider({
    run: runOverSsh,
    identities,
    bootstrap: (values) =>
      bootstrapScript({ ...values, agent: "hearth", privileged: true, authority }),
    isLocal: leadsToOwnMachine,
    now: Date.now,
    silentMsMax: SILENT_MS_MAX,
  });
};

/** Reads the files of `--aws`, `--openstack` and `--ssh`. */
export const operatorText = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw unusableFile(file, whyUnreadable(error), error);
  }
};

export const operatorData = (file: string): unknown => {
  const text = operatorText(file);
  try {
    return parse(text);
  } catch (error) {
    throw new OperatorFileRefused(`${file} is neither JSON nor YAML.`, { cause: error });
  }
};

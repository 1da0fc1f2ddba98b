import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Credential, readProjects } from "#providers/openstack/account/projects.ts";
import { SECRET } from "./double/double.ts";
import { startDoubleStage } from "./double-stage.ts";
import type { Stage } from "./provider-play.ts";

export interface PlayedStage {
  readonly kind: "double" | "real services";
  readonly stage: Stage;
  readonly administrator: Credential;
  readonly file: string;
  stop(): Promise<void>;
}

const credentialOf = (all: ReadonlyMap<string, Credential>, project: string): Credential => {
  const found = all.get(project);
  if (found === undefined)
    throw new Error(`the file of HEARTH_OPENSTACK has no project ${project}`);
  return found;
};

const realStage = (file: string): PlayedStage => {
  const all = readProjects(JSON.parse(readFileSync(file, "utf8")), file, {
    file: (path) => readFileSync(path, "utf8"),
    environment: process.env,
  });
  return {
    kind: "real services",
    file,
    administrator: credentialOf(all, "admin"),
    stage: {
      credential: credentialOf(all, "demo"),
      pace: { pollSeconds: 1, visibleSeconds: 3 },
      patience: { repeatsMax: 300, pauseMs: 1_000 },
      holdMs: 1_500,
      spoilsReads: false,
    },
    stop: async () => undefined,
  };
};

export const projectsFile = ({ authUrl, id, region }: Credential, secret_file: string): string => {
  const demo = { auth_url: authUrl, application_credential_id: id, secret_file, region };
  return JSON.stringify({ projects: { demo } });
};

const doubleStage = async (folder: string): Promise<PlayedStage> => {
  const stage = await startDoubleStage();
  const file = join(folder, "double.json");
  const secretFile = join(folder, "double.secret");
  writeFileSync(secretFile, `${SECRET}\n`, { mode: 0o600 });
  writeFileSync(file, projectsFile(stage.credential, secretFile));
  return {
    kind: "double",
    stage,
    file,
    administrator: { ...stage.credential, id: "admin" },
    stop: () => stage.double.stop(),
  };
};

export const openStage = (folder: string): Promise<PlayedStage> => {
  const { HEARTH_OPENSTACK: file = "" } = process.env;
  return file === "" ? doubleStage(folder) : Promise.resolve(realStage(file));
};

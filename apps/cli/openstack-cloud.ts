import { dirname, resolve } from "node:path";
import { openMode } from "#host/open-mode.ts";
import { readProjects } from "#providers/openstack/account/projects.ts";
import { openSession } from "#providers/openstack/account/session.ts";
import { NoProject } from "#providers/openstack/cloud.ts";
import { openStackProvider } from "#providers/openstack/openstack-provider.ts";
import { unusableFile } from "#providers/operator-file.ts";
import type { ServerProvider } from "#providers/server-provider.ts";
import { operatorData, operatorText } from "./operator-file.ts";

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

/** `--openstack`: servers and what is around them are objects of each project's OpenStack. */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { openMode } from "#host/open-mode.ts";
import { whyUnreadable } from "#host/unreadable-file.ts";
import { ProjectsRefused, readProjects } from "#providers/openstack/account/projects.ts";
import { openSession } from "#providers/openstack/account/session.ts";
import { NoProject } from "#providers/openstack/cloud.ts";
import { openStackProvider } from "#providers/openstack/openstack-provider.ts";
import type { ServerProvider } from "#providers/server-provider.ts";

const textOf = (file: string): string => {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new ProjectsRefused(`${file} cannot be used: ${whyUnreadable(error)}.`, { cause: error });
  }
};

/** `path`: as seen from the folder of `file`. */
const secretOf = (file: string, path: string): string => {
  const whole = resolve(dirname(file), path);
  const secret = textOf(whole);
  const mode = openMode(whole, "the secret of a project");
  if (mode === null) return secret;
  throw new ProjectsRefused(
    `${whole} cannot be used: it gives rights to every user of this machine (mode ${mode}). Run chmod o= on it if nobody has read it.`,
  );
};

/** Throws ProjectsRefused. */
export const openStackOf = (file: string): ServerProvider => {
  const places = { file: (path: string) => secretOf(file, path), environment: process.env };
  const credentials = readProjects(textOf(file), file, places);
  const clouds = new Map([...credentials].map(([name, one]) => [name, openSession(one)] as const));
  return openStackProvider((tenant) => {
    const cloud = clouds.get(tenant);
    if (cloud !== undefined) return cloud;
    throw new NoProject(`The file of --openstack names no project ${tenant}.`);
  });
};

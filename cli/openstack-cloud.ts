/** `--openstack`: servers and what is around them are objects of each project's OpenStack. */
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
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

/** Throws ProjectsRefused. */
export const openStackOf = (file: string): ServerProvider => {
  const besides = (path: string): string => textOf(resolve(dirname(file), path));
  const places = { file: besides, environment: process.env };
  const credentials = readProjects(textOf(file), file, places);
  const clouds = new Map([...credentials].map(([name, one]) => [name, openSession(one)] as const));
  return openStackProvider((tenant) => {
    const cloud = clouds.get(tenant);
    if (cloud !== undefined) return cloud;
    throw new NoProject(`The file of --openstack names no project ${tenant}.`);
  });
};

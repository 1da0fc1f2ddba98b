/** `--openstack`: servers and what is around them are objects of each project's OpenStack. */
import { dirname, resolve } from "node:path";
import { readProjects } from "#providers/openstack/account/projects.ts";
import { openSession } from "#providers/openstack/account/session.ts";
import { NoProject } from "#providers/openstack/cloud.ts";
import { openStackProvider } from "#providers/openstack/openstack-provider.ts";
import type { ServerProvider } from "#providers/server-provider.ts";
import { operatorData, operatorText } from "./operator-file.ts";

/** Throws OperatorFileRefused. */
export const openStackOf = (file: string): ServerProvider => {
  const besides = (path: string): string => operatorText(resolve(dirname(file), path));
  const places = { file: besides, environment: process.env };
  const credentials = readProjects(operatorData(file), file, places);
  const clouds = new Map([...credentials].map(([name, one]) => [name, openSession(one)] as const));
  return openStackProvider((tenant) => {
    const cloud = clouds.get(tenant);
    if (cloud !== undefined) return cloud;
    throw new NoProject(`The file of --openstack names no project ${tenant}.`);
  });
};

import { createHash } from "node:crypto";
import type { Call } from "#provider/provider.ts";

export const idOf = (token: string): string => {
  const hex = createHash("sha256").update(token).digest("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return [...parts, hex.slice(20, 32)].join("-");
};

export const digest = (text: string): string =>
  createHash("sha256").update(text).digest("hex").slice(0, 24);

const NAME_CHARS_MAX = 60;

/** As in Heat, an object without a name in the template is named after its stack and resource. */
export const nameOf = ({ properties, stackName, resourceName }: Call, id: string): string => {
  const given = properties["name"];
  if (typeof given === "string" && given !== "") return given;
  return `${stackName}-${resourceName}`.slice(0, NAME_CHARS_MAX).concat(`-${id.slice(0, 8)}`);
};

export interface RouterLink {
  readonly router: string;
  readonly by: "subnet_id" | "port_id";
  readonly id: string;
}

const ID = /^([^:]+):(subnet_id|port_id)=(.+)$/;

/** The id of a connection between a router and a subnet, in Heat's form. */
export const textOfLink = ({ router, by, id }: RouterLink): string => `${router}:${by}=${id}`;

export const readLink = (text: string): RouterLink | null => {
  const [, router, by, id] = ID.exec(text) ?? [];
  if (router === undefined || id === undefined) return null;
  return { router, by: by === "port_id" ? "port_id" : "subnet_id", id };
};

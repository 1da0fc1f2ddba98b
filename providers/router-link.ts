/** The id of a connection between a router and a subnet, in Heat's form. */

export interface RouterLink {
  readonly router: string;
  readonly by: "subnet_id" | "port_id";
  readonly id: string;
}

const ID = /^([^:]+):(subnet_id|port_id)=(.+)$/;

export const textOfLink = ({ router, by, id }: RouterLink): string => `${router}:${by}=${id}`;

export const readLink = (text: string): RouterLink | null => {
  const [, router, by, id] = ID.exec(text) ?? [];
  if (router === undefined || id === undefined) return null;
  return { router, by: by === "port_id" ? "port_id" : "subnet_id", id };
};

/** Ids and names of objects that a provider makes for resources. */
import { createHash } from "node:crypto";
import type { Call } from "#provider/provider.ts";

/** The same token gives the same id, in the form of a UUID. */
export const idOf = (token: string): string => {
  const hex = createHash("sha256").update(token).digest("hex");
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)];
  return [...parts, hex.slice(20, 32)].join("-");
};

const NAME_CHARS_MAX = 60;

/** Heat names an object after its stack and resource where the template does not name it. */
export const nameOf = ({ properties, stackName, resourceName }: Call, id: string): string => {
  const given = properties["name"];
  if (typeof given === "string" && given !== "") return given;
  return `${stackName}-${resourceName}`.slice(0, NAME_CHARS_MAX).concat(`-${id.slice(0, 8)}`);
};

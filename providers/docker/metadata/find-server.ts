/** As in Neutron, the source address identifies the server that asks for metadata. */
import * as z from "zod/mini";
import type { BackEnd } from "../back-end.ts";
import { LABELS, METADATA_PREFIX } from "../objects.ts";
import { META_DATA_FILE, USER_DATA_FILE } from "../types/boot.ts";
import type { ServerMetadata } from "./documents.ts";

const bootMetadata = z.object({
  "local-hostname": z.string(),
  "public-keys": z._default(z.array(z.string()), []),
});

export interface AskingServer {
  readonly metadata: ServerMetadata;
  readonly userData: string | null;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const metaOf = (labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(labels)
      .filter(([key]) => key.startsWith(METADATA_PREFIX))
      .map(([key, value]) => [key.slice(METADATA_PREFIX.length), value]),
  );

/** An engine gives an address to one container at a time, so several matches count as none. */
export const serverAt = async (
  { containers }: BackEnd,
  address: string,
): Promise<AskingServer | null> => {
  const servers = await containers.list({ [LABELS.kind]: "server" });
  const [found, ...others] = servers.filter(({ addresses }) => addresses.includes(address));
  if (found === undefined || others.length > 0) return null;
  const { id: container, labels } = found;
  const text = await containers.readFile(container, META_DATA_FILE);
  const boot = z.safeParse(bootMetadata, parsed(text ?? ""));
  if (!boot.success) return null;
  return {
    metadata: {
      id: labels[LABELS.id] ?? "",
      name: labels[LABELS.name] ?? "",
      hostname: boot.data["local-hostname"],
      address,
      projectId: labels[LABELS.tenant] ?? "",
      publicKeys: boot.data["public-keys"],
      meta: metaOf(labels),
    },
    userData: await containers.readFile(container, USER_DATA_FILE),
  };
};

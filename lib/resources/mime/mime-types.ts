import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { cloudConfig } from "./cloud-config.ts";
import { multipartMime } from "./multipart-mime.ts";

export const mimeTypes = (
  engine: Pick<Ports, "softwareConfigs" | "cipher">,
): readonly ResourceType[] => [cloudConfig(engine.softwareConfigs), multipartMime(engine)];

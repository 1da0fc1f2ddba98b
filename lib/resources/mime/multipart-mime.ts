import * as z from "zod/mini";
import type { Ports } from "#lib/ports/ports.ts";
import type { ProviderCall, ResourceType } from "#lib/ports/resource-type.ts";
import { OWN_TYPE } from "#lib/resources/call-limits.ts";
import {
  deleteConfig,
  groupOf,
  groupProperty,
  storeConfig,
} from "#lib/resources/software/config-properties.ts";
import { openContent } from "#lib/software-config/configs/config-content.ts";
import { jsonText } from "#lib/template/python-text.ts";
import { type MimePart, mimeMessage } from "./mime-message.ts";
import { readMultipart } from "./read-mime-message.ts";

/** As Python's uuid takes one: with or without dashes, in any case. */
const UUID_LIKE = /^[0-9a-f]{8}(-?[0-9a-f]{4}){3}-?[0-9a-f]{12}$/i;
const BOUNDARY = "===============";

const partsSchema = z.array(
  z.object({
    config: z.string(),
    filename: z._default(z.string(), ""),
    type: z._default(z.string(), "text"),
    subtype: z._default(z.string(), ""),
  }),
);

/** The content of the config that the text is the id of; else the text itself. */
const textOf = async (
  { tenant }: ProviderCall,
  { softwareConfigs, cipher }: Ports,
  text: string,
): Promise<string> => {
  const record = UUID_LIKE.test(text) ? await softwareConfigs.getConfig(tenant, text) : null;
  if (record === null) return text;
  const { config } = await openContent(cipher, record, record.content);
  return typeof config === "string" ? config : jsonText(config, { sortKeys: false });
};

const messageParts = async (call: ProviderCall, ports: Ports): Promise<readonly MimePart[]> => {
  const parts = partsSchema.parse(call.properties["parts"] ?? []);
  const read = parts.map(async ({ config, type, subtype, filename }) => {
    const text = await textOf(call, ports, config);
    return type === "multipart" ? readMultipart(text) : [{ text, subtype, filename }];
  });
  return (await Promise.all(read)).flat();
};

/** OS::Heat::MultipartMime: several configurations for cloud-init as one message. */
export const multipartMime: ResourceType = {
  ...OWN_TYPE,
  type: "OS::Heat::MultipartMime",
  description: "Puts several configurations together into one multi-part MIME message.",
  properties: {
    ...groupProperty,
    parts: {
      type: "list",
      description: "The parts of the message.",
      default: [],
      items: {
        type: "map",
        description: "One part.",
        schema: {
          config: {
            type: "string",
            description: "The text, or the id of a configuration whose text it is.",
            required: true,
          },
          filename: { type: "string", description: "The name of the file that it is to become." },
          type: {
            type: "string",
            description: "Whether the text is one part, or a message whose parts are taken.",
            default: "text",
            constraints: [{ allowedValues: ["text", "multipart"] }],
          },
          subtype: { type: "string", description: "What kind of text: x-shellscript, say." },
        },
      },
    },
  },
  attributes: { config: { description: "The message." } },
  handleCreate: async (call, ports) => {
    const boundary = (attempt: number): string =>
      `${BOUNDARY}${ports.ids.derive(call.token, "boundary", String(attempt))}==`;
    const config = mimeMessage(await messageParts(call, ports), boundary);
    return storeConfig(call, ports, { group: groupOf(call), config }, { config });
  },
  handleDelete: deleteConfig,
};

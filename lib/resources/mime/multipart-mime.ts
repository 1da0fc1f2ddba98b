import * as z from "zod/mini";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { Handler, ProviderCall, ResourceType } from "#lib/ports/resource-type.ts";
import {
  type ConfigReading,
  configText,
  groupOf,
  groupProperty,
  storeConfig,
  storing,
} from "../software/config-properties.ts";
import { type MimePart, mimeMessage, readMultipart } from "./mime-message.ts";

const BOUNDARY = "===============";

const partsSchema = z.array(
  z.object({
    config: z.string(),
    filename: z._default(z.string(), ""),
    type: z._default(z.string(), "text"),
    subtype: z._default(z.string(), ""),
  }),
);

const messageParts = async (
  engine: ConfigReading,
  call: ProviderCall,
): Promise<readonly MimePart[]> => {
  const parts = partsSchema.parse(call.properties["parts"] ?? []);
  const read = parts.map(async ({ config, type, subtype, filename }) => {
    const text = await configText(engine, call, config);
    return type === "multipart" ? readMultipart(text) : [{ text, subtype, filename }];
  });
  return (await Promise.all(read)).flat();
};

const properties: PropertySchemas = {
  ...groupProperty,
  parts: {
    type: "list",
    description: "The parts of the message.",
    default: [],
    items: {
      type: "map",
      schema: {
        config: {
          type: "string",
          description: "The text, or the id of a configuration that has the text.",
          required: true,
        },
        filename: { type: "string", description: "The name of the part's file." },
        type: {
          type: "string",
          description:
            "Whether the text is one part (text) or a message with several parts (multipart).",
          default: "text",
          constraints: [{ allowedValues: ["text", "multipart"] }],
        },
        subtype: { type: "string", description: "The kind of text, such as x-shellscript." },
      },
    },
  },
};

const create =
  (engine: ConfigReading): Handler =>
  async (call, context) => {
    const boundary = (attempt: number): string =>
      `${BOUNDARY}${context.ids.derive(call.token, "boundary", String(attempt))}==`;
    const config = mimeMessage(await messageParts(engine, call), boundary);
    const content = { group: groupOf(call), config };
    return storeConfig(engine.softwareConfigs, call, context, content, { config });
  };

export const multipartMime = (engine: ConfigReading): ResourceType => ({
  type: "OS::Heat::MultipartMime",
  schema: {
    description: "Puts several configurations together into one multi-part MIME message.",
    support: { since: "2014.1" },
    properties,
    attributes: { config: { description: "The message.", type: "string" } },
  },
  ...storing(engine.softwareConfigs, create(engine)),
});

/** Stored configs are JSON and sealed for their stack, because inputs may contain secrets. */
import * as z from "zod/mini";
import { type JsonObject, parseJson } from "#lib/json.ts";
import { json, jsonObject } from "#lib/json-schema.ts";
import type {
  ConfigContent,
  DeploymentRecord,
  ServerRecord,
  SoftwareConfigRecord,
} from "#lib/model/software-config.ts";
import type { Cipher, SealedPlace } from "#lib/ports/ports.ts";
import { type Owner, sealedPlace } from "#lib/stack/stored-places.ts";
import { IO_TYPES } from "./config-schema.ts";

const inputSchema = z.object({
  name: z.string(),
  type: z.enum(IO_TYPES),
  description: z.exactOptional(z.string()),
  default: z.exactOptional(json),
  replace_on_change: z.exactOptional(z.boolean()),
  value: z.exactOptional(json),
});

const outputSchema = z.object({
  name: z.string(),
  type: z.enum(IO_TYPES),
  description: z.exactOptional(z.string()),
  error_output: z.boolean(),
});

export const configContent = z.object({
  name: z.string(),
  group: z.string(),
  config: json,
  inputs: z.array(inputSchema),
  outputs: z.array(outputSchema),
  options: jsonObject,
});

interface SealedRecord extends Owner {
  readonly id: string;
}

type DeploymentField = "derivedConfig" | "inputValues" | "outputValues";

export const openConfig = async (
  cipher: Cipher,
  record: SoftwareConfigRecord,
): Promise<ConfigContent> => {
  const place = sealedPlace(record, "configs.content", record.id);
  return configContent.parse(parseJson(await cipher.open(place, record.content)));
};

export const sealConfig = (
  cipher: Cipher,
  record: SealedRecord,
  content: ConfigContent,
): Promise<string> =>
  cipher.seal(sealedPlace(record, "configs.content", record.id), JSON.stringify(content));

const openObject = async (
  cipher: Cipher,
  place: SealedPlace,
  sealed: string,
): Promise<JsonObject> => jsonObject.parse(parseJson(await cipher.open(place, sealed)));

const placeIn = (record: SealedRecord, field: DeploymentField): SealedPlace =>
  sealedPlace(record, `deployments.${field}`, record.id);

export const sealDeploymentField = (
  cipher: Cipher,
  record: SealedRecord,
  field: DeploymentField,
  value: ConfigContent | JsonObject,
): Promise<string> => cipher.seal(placeIn(record, field), JSON.stringify(value));

export const openDerivedConfig = async (
  cipher: Cipher,
  record: DeploymentRecord,
): Promise<ConfigContent> =>
  configContent.parse(
    parseJson(await cipher.open(placeIn(record, "derivedConfig"), record.derivedConfig)),
  );

export const openOutputValues = (cipher: Cipher, record: DeploymentRecord): Promise<JsonObject> =>
  openObject(cipher, placeIn(record, "outputValues"), record.outputValues);

export const openInputValues = async (
  cipher: Cipher,
  record: DeploymentRecord,
): Promise<JsonObject> =>
  record.inputValues === null
    ? {}
    : openObject(cipher, placeIn(record, "inputValues"), record.inputValues);

export const sealServerMetadata = (
  cipher: Cipher,
  server: SealedRecord,
  metadata: JsonObject,
): Promise<string> =>
  cipher.seal(sealedPlace(server, "servers.metadata", server.id), JSON.stringify(metadata));

export const openServerMetadata = (cipher: Cipher, server: ServerRecord): Promise<JsonObject> =>
  openObject(cipher, sealedPlace(server, "servers.metadata", server.id), server.metadata);

export const sealBlob = (
  cipher: Cipher,
  owner: Owner,
  key: string,
  text: string,
): Promise<string> => cipher.seal(sealedPlace(owner, "blobs", key), text);

export const openBlob = (
  cipher: Cipher,
  owner: Owner,
  key: string,
  sealed: string,
): Promise<string> => cipher.open(sealedPlace(owner, "blobs", key), sealed);

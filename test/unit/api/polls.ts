import { present } from "#lib/errors.ts";
import { metadataUrl, type UrlQuery } from "#lib/software-config/agent-requests/urls.ts";
import { serveMetadata } from "#lib/software-config/document/serve-metadata.ts";
import { textAt, type World } from "./api-world.ts";

export const poll = async (world: World, path: string, more: UrlQuery = {}): Promise<void> => {
  const { body } = await world.send("GET", `${path}/resources/server`);
  const id = textAt(body, "resource", "physical_resource_id");
  const server = present(await world.ports.softwareConfigs.getServer(id), "server");
  const query = Object.fromEntries(new URL(metadataUrl(world.ports, server)).searchParams);
  await serveMetadata(world.ports, id, { method: "GET", query: { ...query, ...more } });
};

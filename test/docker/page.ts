import type { Result } from "../contract/spoilt-operations.ts";
import { startServe } from "../integration/host/serve-process.ts";
import { playCommands, preparePage, wordsAfter } from "../lanes/page-commands.ts";

const PAGE = new URL("../../docs/run-on-docker.md", import.meta.url);

export const playPage = async (socketPath: string, folder: string): Promise<readonly Result[]> => {
  const blocks = preparePage(PAGE, folder);
  const dockerHost = `unix://${socketPath}`;
  process.env["DOCKER_HOST"] = dockerHost;
  const host = await startServe("--memory", ...wordsAfter(blocks, "hearth serve "));
  const environment = { HEARTH_ENDPOINT: host.url, DOCKER_HOST: dockerHost, HOME: folder };
  try {
    return await playCommands({ folder, environment }, blocks);
  } finally {
    await host.stop("SIGTERM");
  }
};

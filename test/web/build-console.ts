/** Builds the console and the playground from these sources, so that no older build is tested. */
import { buildPlayground } from "../../tools/packaging/playground.ts";
import { buildWeb } from "../../tools/packaging/web.ts";

export const setup = async (): Promise<void> => {
  await buildWeb();
  await buildPlayground();
};

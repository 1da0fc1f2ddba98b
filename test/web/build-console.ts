/** The console and the playground under test are those of these sources, and no older builds. */
import { buildPlayground } from "../../tools/packaging/playground.ts";
import { buildWeb } from "../../tools/packaging/web.ts";

export const setup = async (): Promise<void> => {
  await buildWeb();
  await buildPlayground();
};

/** The console and the playground under test are those of these sources, and no older builds. */
import { buildPlayground } from "../../packaging/playground.ts";
import { buildWeb } from "../../packaging/web.ts";

export const setup = async (): Promise<void> => {
  await buildWeb();
  await buildPlayground();
};

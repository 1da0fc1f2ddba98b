/** The console under test is that of these sources, and never an older build. */
import { buildWeb } from "../../packaging/web.ts";

export const setup = async (): Promise<void> => {
  await buildWeb();
};
